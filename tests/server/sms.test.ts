import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityLog } from '../../server/identity/identity-log.ts';
import { codeMessage } from '../../server/identity/sms/code-message.ts';
import { smsCode } from '../../server/identity/sms/sms.ts';
import { isTestGateway, readSmsSettings } from '../../server/identity/sms/sms-settings.ts';
import { telephoneOf } from '../../server/identity/sms/telephone.ts';
import { StartRefused } from '../../server/start-refused.ts';
import type { KeptMessage } from '../../stand-ins/sms/start.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type SignInNode, signInNode, until } from './sign-in-under-test.ts';
import { startStandIn } from './stand-in-process.ts';

const known = 'doctor@prov.example';

let database: TestDatabase;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let standIn: StandIn;
let node: SignInNode;
let uid = '';
/** E.164; every test has its own, as messages leave after the replies. */
let number = '';
let turns = 0;

const openNode = (environment: Readonly<Record<string, string>>) =>
  signInNode((interactions) =>
    smsCode({
      db: database.db,
      settings: readSmsSettings(environment),
      interactions,
      log: identityLog(database.db),
      issuer: 'https://archive.example:8443',
      checkReplies: true,
    }),
  );

const setTelephone = (id: string, telephone: string) =>
  database.db.updateTable('account').set({ telephone }).where('id', '=', id).execute();

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  await setTelephone(clinic.doctorId, '070-174 06 11');
  await setTelephone(clinic.adminId, '018-12 34 56');
  const role = { role: 'Doctor', customerId: clinic.customerId, isActive: false } as const;
  await setTelephone(await addAccount(database.db, { email: 'gone@prov.example', ...role }), '0701740612');
  standIn = await startStandIn('sms', {});
  node = await openNode(standIn.environment);
});
beforeEach(async () => {
  uid = randomUUID();
  turns += 1;
  number = `+46701740${100 + turns}`;
  await setTelephone(clinic.doctorId, `070-174 0${100 + turns}`);
  await database.db.deleteFrom('pending_sign_in').execute();
  await fetch(`${standIn.url}/messages`, { method: 'DELETE' });
});
afterAll(async () => {
  await node?.close();
  await standIn?.close();
  await database?.close();
});

const ask = (email = known, of = uid, language = 'sv') => node.post(of, 'sms', { email, language });
const verify = (code: string, of = uid) => node.post(of, 'sms/verify', { code });
const messages = async (): Promise<KeptMessage[]> => {
  const kept: KeptMessage[] = await (await fetch(`${standIn.url}/messages`)).json();
  return kept.filter(({ to }) => to === number);
};
const message = async (): Promise<KeptMessage> => {
  const [first] = await until(messages, (all) => all.length > 0);
  if (!first) throw new Error('no message');
  return first;
};
const code = async () => /#(\d{6})$/.exec((await message()).message)?.[1] ?? '';
const otherThan = (right: string) => (right === '111111' ? '222222' : '111111');
/** Time passes for the counts of codes, not for the codes. */
const aMinutePasses = () =>
  database.database.pool.query(
    `update pending_sign_in set payload = payload || '{"last": 0}' where key like 'sms-sent:%'`,
  );

describe('a code', () => {
  it('comes to the telephone of the account, once, and signs in', async () => {
    expect(await ask()).toEqual({ status: 200, body: { goodForSeconds: 300, againInSeconds: 60 } });
    const sent = await message();
    expect(sent).toMatchObject({ to: number, from: 'Dentarium' });
    const right = await code();
    expect(sent.message.split('\n').at(-1)).toBe(`@archive.example #${right}`);
    const done = await verify(`${right.slice(0, 3)} ${right.slice(3)}`);
    expect(done.body).toMatchObject({ outcome: 'finished' });
    expect(node.proofs.at(-1)).toMatchObject({ method: 'sms', amr: ['sms'], strong: false });
    expect(node.proofs.at(-1)?.accounts.map(({ id }) => id)).toEqual([clinic.doctorId]);
    expect(await verify(right)).toEqual({ status: 400, body: { code: 'incorrect-code' } });
  });

  it('is good once, even when it is given twice at the same moment', async () => {
    await ask();
    const right = await code();
    const answers = await Promise.all([verify(right), verify(right), verify(right)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('is of no use in another interaction, nor without the cookie', async () => {
    await ask();
    const right = await code();
    expect((await verify(right, randomUUID())).body).toEqual({ code: 'incorrect-code' });
    expect((await node.post(uid, 'sms/verify', { code: right }, { cookie: '' })).status).toBe(410);
    expect((await node.post(uid, 'sms', { email: known, language: 'sv' }, { cookie: '' })).status).toBe(410);
    expect((await verify(right)).status).toBe(200);
  });

  it('is not kept as it is', async () => {
    await ask();
    const right = await code();
    const { payload } = await database.db
      .selectFrom('pending_sign_in')
      .select('payload')
      .where('key', '=', `sms:${uid}`)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(payload)).not.toContain(right);
    expect(JSON.stringify(payload)).not.toContain(known);
  });

  it('ends after five minutes', async () => {
    await ask();
    const right = await code();
    const { expires_at: end } = await database.db
      .selectFrom('pending_sign_in')
      .select('expires_at')
      .where('key', '=', `sms:${uid}`)
      .executeTakeFirstOrThrow();
    expect(Math.abs(end.getTime() - Date.now() - 300_000)).toBeLessThan(20_000);
    await database.db
      .updateTable('pending_sign_in')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect((await verify(right)).body).toEqual({ code: 'incorrect-code' });
  });

  it('is void after five wrong ones, the right one too, also when they come all at once', async () => {
    await ask();
    const right = await code();
    const wrong = await Promise.all(Array.from({ length: 12 }, () => verify(otherThan(right))));
    expect(new Set(wrong.map(({ body }) => body.code))).toEqual(new Set(['incorrect-code']));
    expect((await verify(right)).body).toEqual({ code: 'incorrect-code' });
    const logged = await database.db.selectFrom('access_log').select(['action', 'account_id', 'detail']).execute();
    const tried = { action: 'sign-in.refused', account_id: clinic.doctorId, detail: 'incorrect-code' };
    expect(logged.filter(({ detail }) => detail === 'incorrect-code').slice(-5)).toEqual(Array(5).fill(tried));
  });

  it('makes the one before it void', async () => {
    await ask();
    const first = await code();
    await aMinutePasses();
    await fetch(`${standIn.url}/messages`, { method: 'DELETE' });
    await ask();
    const second = await code();
    if (first !== second) expect((await verify(first)).status).toBe(400);
    expect((await verify(second)).status).toBe(200);
  });

  it('of an account that was made inactive meanwhile opens nothing', async () => {
    await ask();
    const right = await code();
    const set = (isActive: boolean) =>
      database.db.updateTable('account').set({ is_active: isActive }).where('id', '=', clinic.doctorId).execute();
    await set(false);
    expect(await verify(right)).toEqual({ status: 403, body: { code: 'account-inactive' } });
    await set(true);
  });
});

describe('the reply does not tell', () => {
  it.each([
    ['whether the address exists', 'nobody@prov.example'],
    ['whether the account is active', 'gone@prov.example'],
    ['whether it has a mobile telephone', 'admin@prov.example'],
    ['whether it has any telephone', 'super@prov.example'],
  ])('%s', async (_, email) => {
    const right = await ask(known, randomUUID());
    expect(await ask(email)).toEqual(right);
    const { to } = await message();
    expect(to).toBe(number);
    // The next one is refused for both alike, and so is a code.
    expect(await ask(email)).toEqual(await ask(known, randomUUID()));
    expect(await verify('000000')).toEqual({ status: 400, body: { code: 'incorrect-code' } });
    expect(await messages()).toHaveLength(1);
  });

  it('by being late: a gateway that hangs delays no reply', async () => {
    await fetch(`${standIn.url}/away`, away(true));
    const begun = performance.now();
    expect((await ask()).status).toBe(200);
    // The tries alone take longer.
    expect(performance.now() - begun).toBeLessThan(1_500);
    await until(
      async () => node.log(),
      (log) => log.includes('was not sent'),
    );
    await fetch(`${standIn.url}/away`, away(false));
  });
});

/** @param calls that are refused before the gateway is there again */
const away = (isAway: boolean, calls = 0) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ away: isAway, calls }),
});

describe('how many codes are sent', () => {
  it.each([known, 'nobody@prov.example'])('one a minute and five an hour for %s, in any interaction', async (email) => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 6; turn++) {
      statuses.push((await ask(email, randomUUID())).status);
      expect(await ask(email.toUpperCase(), randomUUID())).toMatchObject({
        status: 429,
        body: { code: 'too-many-requests' },
      });
      await aMinutePasses();
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('begins anew when a code was used', async () => {
    let last: KeptMessage | undefined;
    for (let turn = 1; turn <= 5; turn++) {
      await ask();
      [last] = await until(messages, (all) => all.length === turn);
      await aMinutePasses();
    }
    const right = /#(\d{6})$/.exec(last?.message ?? '')?.[1] ?? '';
    expect((await verify(right)).status).toBe(200);
    expect((await ask()).status).toBe(200);
  });

  it('thirty an hour for an address', async () => {
    const from = { 'x-forwarded-for': '192.0.2.9' };
    const one = (index: number) =>
      node.post(randomUUID(), 'sms', { email: `person${index}@prov.example`, language: 'sv' }, from);
    const all = await Promise.all(Array.from({ length: 33 }, (_, index) => one(index)));
    expect(all.filter(({ status }) => status === 429)).toHaveLength(3);
    expect((await ask()).status).toBe(200);
  });

  it('counts one for an address that comes after a later one of another name', async () => {
    const from = { 'x-forwarded-for': '192.0.2.10' };
    const one = (name: string) =>
      node.post(randomUUID(), 'sms', { email: `${name}@prov.example`, language: 'sv' }, from);
    expect((await one('first')).status).toBe(200);
    // As when two statements wait for the row and the one that began later is let in first.
    await database.database.pool.query(
      `update pending_sign_in set payload = payload || jsonb_build_object('last', extract(epoch from now()) + 5)
       where key like 'sms-sent:%'`,
    );
    expect((await one('second')).status).toBe(200);
  });
});

describe('the gateway', () => {
  it('is tried again when it is away for a moment', async () => {
    await fetch(`${standIn.url}/away`, away(false, 2));
    await ask();
    expect(await code()).toMatch(/^\d{6}$/);
  });

  it('that is away is logged without number, address or code', async () => {
    await fetch(`${standIn.url}/away`, away(true));
    const silent = await openNode(standIn.environment);
    await silent.post(uid, 'sms', { email: known, language: 'sv' });
    const log = await until(
      async () => silent.log(),
      (text) => text.includes('was not sent'),
    );
    expect(log).toContain('status 503');
    expect(log).not.toMatch(/4670174|701740|doctor@|#\d{6}/);
    await silent.close();
    await fetch(`${standIn.url}/away`, away(false));
  });

  it('that refuses the password is not asked again', async () => {
    const refused = await openNode({ ...standIn.environment, DENTARIUM_SMS_PASSWORD: 'wrong' });
    await refused.post(uid, 'sms', { email: known, language: 'sv' });
    const log = await until(
      async () => refused.log(),
      (text) => text.includes('was not sent'),
    );
    expect(log).toContain('status 401');
    expect(await messages()).toEqual([]);
    await refused.close();
  });

  it('may take JSON', async () => {
    const json = await openNode({
      ...standIn.environment,
      DENTARIUM_SMS_FORMAT: 'json',
      DENTARIUM_SMS_FROM: '+46701740699',
    });
    await json.post(uid, 'sms', { email: known, language: 'da' });
    expect(await message()).toMatchObject({ from: '+46701740699', to: number });
    await json.close();
  });
});

it.each(['sv', 'en', 'da', 'no'] as const)(
  'the message in %s fits into one text message of the GSM alphabet',
  (language) => {
    const text = codeMessage(language, '123456', 5, 'bilder.tandkliniken.example');
    expect(text.length).toBeLessThanOrEqual(160);
    expect(text).toMatch(/^[A-Za-z0-9 .,@#:\-\nåäöÅÄÖæøÆØ]+$/);
    expect(text.split('\n').at(-1)).toBe('@bilder.tandkliniken.example #123456');
  },
);

it.each([
  ['070-174 06 11', '+46701740611'],
  ['+46 (0)70-174 06 11', '+46701740611'],
  ['0046701740611', '+46701740611'],
  ['+45 20 12 34 56', '+4520123456'],
  ['+47 412 34 567', '+4741234567'],
  ['+358 40 1234567', '+358401234567'],
  ['018-12 34 56', null],
  ['070-174 06 1', null],
  ['46701740611', null],
  ['+47 22 12 34 56', null],
  ['ring mig', null],
  ['', null],
])('%s is the number %s', (written, number) => {
  expect(telephoneOf(written)).toBe(number);
});

describe('settings', () => {
  it('without any, codes are not offered', async () => {
    expect(readSmsSettings({})).toBeNull();
    const without = await openNode({});
    expect((await without.post(uid, 'sms', { email: known, language: 'sv' })).body).toEqual({
      code: 'method-not-offered',
    });
    await without.close();
  });

  it('a token goes as a bearer', () => {
    const environment = { DENTARIUM_SMS_URL: 'https://sms.example/send', DENTARIUM_SMS_TOKEN: 'abc' };
    const settings = readSmsSettings(environment);
    expect(settings).toMatchObject({ authorization: 'Bearer abc', from: 'Dentarium', format: 'form' });
    expect(settings && isTestGateway(settings)).toBe(false);
    expect(isTestGateway({ url: standIn.environment.DENTARIUM_SMS_URL ?? '' })).toBe(true);
  });

  it.each([
    ['DENTARIUM_SMS_URL', { DENTARIUM_SMS_TOKEN: 'secret-token' }],
    ['DENTARIUM_SMS_URL', { DENTARIUM_SMS_URL: 'http://sms.example/send' }],
    ['DENTARIUM_SMS_PASSWORD', { DENTARIUM_SMS_URL: 'https://sms.example', DENTARIUM_SMS_USER: 'user' }],
    ['DENTARIUM_SMS_FROM', { DENTARIUM_SMS_URL: 'https://sms.example', DENTARIUM_SMS_FROM: 'Tandkliniken Ljungheden' }],
    [
      'DENTARIUM_SMS_TOKEN',
      {
        DENTARIUM_SMS_URL: 'https://sms.example',
        DENTARIUM_SMS_USER: 'user',
        DENTARIUM_SMS_PASSWORD: 'secret-password',
        DENTARIUM_SMS_TOKEN: 'secret-token',
      },
    ],
  ])('a wrong %s keeps the archive from starting, by its name', (name, environment) => {
    expect(() => readSmsSettings(environment)).toThrow(StartRefused);
    expect(() => readSmsSettings(environment)).toThrow(name);
    expect(() => readSmsSettings(environment)).not.toThrow(/secret-/);
  });
});
