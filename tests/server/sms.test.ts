import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSmsSettings } from '../../server/identity/sms/sms-settings.ts';
import type { SentMessage } from '../../stand-ins/sms/start.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type SignInNode, until } from './sign-in-under-test.ts';
import { away, smsNode } from './sms-under-test.ts';
import { startStandIn } from './stand-in-process.ts';

const known = 'doctor@prov.example';

let database: TestDatabase;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let standIn: StandIn;
let node: SignInNode;
let uid = '';
/** E.164; every test has its own, because messages are sent after the replies. */
let number = '';
let testCount = 0;

const openNode = (environment: Readonly<Record<string, string>>) => smsNode(database.db, environment);

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
  testCount += 1;
  number = `+46701740${100 + testCount}`;
  await setTelephone(clinic.doctorId, `070-174 0${100 + testCount}`);
  await database.db.deleteFrom('pending_sign_in').execute();
  await fetch(`${standIn.url}/messages`, { method: 'DELETE' });
});
afterAll(async () => {
  await node?.close();
  await standIn?.close();
  await database?.close();
});

const requestCode = (email = known, of = uid, language = 'sv') => node.post(of, 'sms', { email, language });
const verify = (code: string, of = uid) => node.post(of, 'sms/verify', { code });
const messages = async (): Promise<SentMessage[]> => {
  const all: SentMessage[] = await (await fetch(`${standIn.url}/messages`)).json();
  return all.filter(({ to }) => to === number);
};
const message = async (): Promise<SentMessage> => {
  const [first] = await until(messages, (all) => all.length > 0);
  if (!first) throw new Error('no message');
  return first;
};
const code = async () => /#(\d{6})$/.exec((await message()).message)?.[1] ?? '';
const otherThan = (right: string) => (right === '111111' ? '222222' : '111111');
/** Advances the time for code counts, not for code expiry. */
const aMinutePasses = () =>
  database.database.pool.query(
    `update pending_sign_in set payload = payload || '{"last": 0}' where key like 'sms-sent:%'`,
  );

describe('a code', () => {
  it('is sent to the telephone of the account, once, and signs in', async () => {
    expect(await requestCode()).toEqual({ status: 200, body: { goodForSeconds: 300, againInSeconds: 60 } });
    const sent = await message();
    expect(sent).toMatchObject({ to: number, from: 'Dentarium' });
    const right = await code();
    expect(sent.message.split('\n').at(-1)).toBe(`@archive.example #${right}`);
    const done = await verify(`${right.slice(0, 3)} ${right.slice(3)}`);
    expect(done.body).toMatchObject({ outcome: 'finished' });
    expect(node.proofs.at(-1)).toMatchObject({ method: 'sms', amr: ['sms'], strong: false });
    expect(node.proofs.at(-1)?.accounts.map(({ id }) => id)).toEqual([clinic.doctorId]);
    expect(await verify(right)).toMatchObject({ status: 400, body: { code: 'incorrect-code' } });
  });

  it('is valid once, even when used twice at the same moment', async () => {
    await requestCode();
    const right = await code();
    const answers = await Promise.all([verify(right), verify(right), verify(right)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('is useless in another interaction, or without the cookie', async () => {
    await requestCode();
    const right = await code();
    expect((await verify(right, randomUUID())).body).toMatchObject({ code: 'incorrect-code' });
    expect((await node.post(uid, 'sms/verify', { code: right }, { cookie: '' })).status).toBe(410);
    expect((await node.post(uid, 'sms', { email: known, language: 'sv' }, { cookie: '' })).status).toBe(410);
    expect((await verify(right)).status).toBe(200);
  });

  it('is not stored in plain text', async () => {
    await requestCode();
    const right = await code();
    const { payload } = await database.db
      .selectFrom('pending_sign_in')
      .select('payload')
      .where('key', '=', `sms:${uid}`)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(payload)).not.toContain(right);
    expect(JSON.stringify(payload)).not.toContain(known);
  });

  it('expires after five minutes', async () => {
    await requestCode();
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
    expect((await verify(right)).body).toMatchObject({ code: 'incorrect-code' });
  });

  it('is void after five wrong ones, even the right one, also concurrently', async () => {
    await requestCode();
    const right = await code();
    const wrong = await Promise.all(Array.from({ length: 12 }, () => verify(otherThan(right))));
    expect(new Set(wrong.map(({ body }) => body.code))).toEqual(new Set(['incorrect-code']));
    expect((await verify(right)).body).toMatchObject({ code: 'incorrect-code' });
    const logged = await database.db.selectFrom('access_log').select(['action', 'account_id', 'detail']).execute();
    const tried = { action: 'sign-in.refused', account_id: clinic.doctorId, detail: 'incorrect-code' };
    expect(logged.filter(({ detail }) => detail === 'incorrect-code').slice(-5)).toEqual(Array(5).fill(tried));
  });

  it('voids the previous one', async () => {
    await requestCode();
    const first = await code();
    await aMinutePasses();
    await fetch(`${standIn.url}/messages`, { method: 'DELETE' });
    await requestCode();
    const second = await code();
    if (first !== second) expect((await verify(first)).status).toBe(400);
    expect((await verify(second)).status).toBe(200);
  });

  it('of an account that was deactivated meanwhile is rejected', async () => {
    await requestCode();
    const right = await code();
    const set = (isActive: boolean) =>
      database.db.updateTable('account').set({ is_active: isActive }).where('id', '=', clinic.doctorId).execute();
    await set(false);
    expect(await verify(right)).toMatchObject({ status: 403, body: { code: 'account-inactive' } });
    await set(true);
  });
});

const tooMany = { code: 'too-many-requests', requestId: '' };

describe('the reply does not reveal the account', () => {
  it.each([
    ['whether the address exists', 'nobody@prov.example'],
    ['whether the account is active', 'gone@prov.example'],
    ['whether it has a mobile telephone', 'admin@prov.example'],
    ['whether it has any telephone', 'super@prov.example'],
  ])('%s', async (_, email) => {
    const right = await requestCode(known, randomUUID());
    expect(await requestCode(email)).toEqual(right);
    const { to } = await message();
    expect(to).toBe(number);
    // The next one is rejected for both alike, and so is a code.
    const again = [await requestCode(email), await requestCode(known, randomUUID())];
    for (const { status, body } of again) expect([status, { ...body, requestId: '' }]).toEqual([429, tooMany]);
    expect(await verify('000000')).toMatchObject({ status: 400, body: { code: 'incorrect-code' } });
    expect(await messages()).toHaveLength(1);
  });

  it('by its timing: an unresponsive gateway delays no reply', async () => {
    await fetch(`${standIn.url}/away`, away(true));
    const started = performance.now();
    expect((await requestCode()).status).toBe(200);
    // The retries alone take longer.
    expect(performance.now() - started).toBeLessThan(1_500);
    await until(
      async () => node.log(),
      (log) => log.includes('was not sent'),
    );
    await fetch(`${standIn.url}/away`, away(false));
  });
});

describe('the number of codes', () => {
  it.each([known, 'nobody@prov.example'])('one a minute and five an hour for %s, in any interaction', async (email) => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      statuses.push((await requestCode(email, randomUUID())).status);
      expect(await requestCode(email.toUpperCase(), randomUUID())).toMatchObject({
        status: 429,
        body: { code: 'too-many-requests' },
      });
      await aMinutePasses();
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('is reset when a code was used', async () => {
    let last: SentMessage | undefined;
    for (let attempt = 1; attempt <= 5; attempt++) {
      await requestCode();
      [last] = await until(messages, (all) => all.length === attempt);
      await aMinutePasses();
    }
    const right = /#(\d{6})$/.exec(last?.message ?? '')?.[1] ?? '';
    expect((await verify(right)).status).toBe(200);
    expect((await requestCode()).status).toBe(200);
  });

  it('is limited to thirty an hour for an address', async () => {
    const from = { 'x-forwarded-for': '192.0.2.9' };
    const one = (index: number) =>
      node.post(randomUUID(), 'sms', { email: `person${index}@prov.example`, language: 'sv' }, from);
    const all = await Promise.all(Array.from({ length: 33 }, (_, index) => one(index)));
    expect(all.filter(({ status }) => status === 429)).toHaveLength(3);
    expect((await requestCode()).status).toBe(200);
  });

  it('counts one for an address that comes after a later one of another name', async () => {
    const from = { 'x-forwarded-for': '192.0.2.10' };
    const one = (name: string) =>
      node.post(randomUUID(), 'sms', { email: `${name}@prov.example`, language: 'sv' }, from);
    expect((await one('first')).status).toBe(200);
    // As when two statements wait for the row and the later one is admitted first.
    await database.database.pool.query(
      `update pending_sign_in set payload = payload || jsonb_build_object('last', extract(epoch from now()) + 5)
       where key like 'sms-sent:%'`,
    );
    expect((await one('second')).status).toBe(200);
  });
});

describe('the gateway', () => {
  it('is retried after a short outage', async () => {
    await fetch(`${standIn.url}/away`, away(false, 2));
    await requestCode();
    expect(await code()).toMatch(/^\d{6}$/);
  });

  it('is reported when unreachable, without number, address or code', async () => {
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

  it('is not retried when it rejects the password', async () => {
    const rejected = await openNode({ ...standIn.environment, DENTARIUM_SMS_PASSWORD: 'wrong' });
    await rejected.post(uid, 'sms', { email: known, language: 'sv' });
    const log = await until(
      async () => rejected.log(),
      (text) => text.includes('was not sent'),
    );
    expect(log).toContain('status 401');
    expect(await messages()).toEqual([]);
    await rejected.close();
  });

  it('may accept JSON', async () => {
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

it('codes are disabled without settings', async () => {
  expect(readSmsSettings({})).toBeNull();
  const without = await openNode({});
  expect((await without.post(uid, 'sms', { email: known, language: 'sv' })).body).toMatchObject({
    code: 'method-not-offered',
  });
  await without.close();
});
