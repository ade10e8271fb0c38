import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankIdHints } from '../../contract/interactions.ts';
import { bankId } from '../../server/identity/bank-id/bank-id.ts';
import { readBankIdSettings } from '../../server/identity/bank-id/bank-id-settings.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { newFolder, type SignInNode, signInNode, until } from './sign-in-under-test.ts';
import { startStandIn } from './stand-in-process.ts';

const person = { one: '199001019802', two: '198506159811', unknown: '197001019983', gone: '196003039806' };

let database: TestDatabase;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let standIn: StandIn;
let folder: Awaited<ReturnType<typeof newFolder>>;
let node: SignInNode;

const openNode = () =>
  signInNode((interactions) =>
    bankId({
      db: database.db,
      settings: readBankIdSettings(standIn.environment),
      interactions,
      issuer: 'https://archive.example',
      checkReplies: true,
    }),
  );

const setNumber = (id: string, number: string) =>
  database.db.updateTable('account').set({ personal_number: number }).where('id', '=', id).execute();

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  await setNumber(clinic.doctorId, '900101-9802');
  await setNumber(clinic.adminId, person.two);
  await setNumber(clinic.otherDoctorId, '19850615-9811');
  const role = { role: 'Doctor', customerId: clinic.customerId, isActive: false } as const;
  await setNumber(await addAccount(database.db, { email: 'gone@prov.example', ...role }), person.gone);
  folder = await newFolder();
  standIn = await startStandIn('bank-id', { folder: folder.folder });
  node = await openNode();
});
afterAll(async () => {
  await node?.close();
  await standIn?.close();
  await folder?.remove();
  await database?.close();
});

/** One browser, at the page of its own interaction. */
const browser = (of = node) => {
  const uid = randomUUID();
  return {
    uid,
    start: async (at = of, headers = {}) => (await at.post(uid, 'bankid', {}, headers)).body,
    collect: (at = of) => at.post(uid, 'bankid/collect'),
    cancel: () => of.post(uid, 'bankid/cancel'),
    /** Asks until BankID has said how it ended. */
    settled: () =>
      until(
        () => of.post(uid, 'bankid/collect'),
        ({ body }) => body.status !== 'pending',
      ),
  };
};
const app = async (call: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${standIn.url}/${call}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: reply.status, body: await reply.json() };
};
const scan = (text: string, personalNumber?: string) => app('scan', { text, personalNumber });
const link = (token: string) => `bankid:///?autostarttoken=${token}&redirect=null`;
const said = async (id: string, answer: 'yes' | 'no') => expect((await app('answer', { id, answer })).status).toBe(200);

describe('an order', () => {
  it('is scanned, signed and complete, and says who the person is', async () => {
    const { start, collect, settled } = browser();
    const begun = await start();
    expect(begun.qr).toMatch(/^bankid\.[\w-]+\.0\.[0-9a-f]{64}$/);
    expect((await collect()).body).toMatchObject({ status: 'pending', hint: 'outstandingTransaction' });
    const moved = await until(collect, ({ body }) => body.qr !== begun.qr);
    expect(moved.body.qr.split('.')[2]).not.toBe('0');
    const taken = await scan(moved.body.qr, person.one);
    expect(taken.status).toBe(200);
    expect(taken.body.visible).toContain('Du loggar in på archive.example');
    expect((await until(collect, ({ body }) => body.hint === 'userSign')).body.qr).toBeNull();
    await said(taken.body.id, 'yes');
    const proofsBefore = node.proofs.length;
    expect((await settled()).body).toMatchObject({ status: 'complete', next: { outcome: 'finished' } });
    expect(node.proofs.at(-1)).toMatchObject({ method: 'bankid', amr: ['mfa', 'pop'], strong: true });
    expect(node.proofs.at(-1)?.accounts.map(({ id }) => id)).toEqual([clinic.doctorId]);
    // A browser whose reply was lost asks again, and nobody is signed in twice.
    expect((await collect()).body).toMatchObject({ status: 'complete', next: { outcome: 'finished' } });
    expect(node.proofs).toHaveLength(proofsBefore + 1);
  });

  it('is opened on the same device by its token', async () => {
    const { start, settled } = browser();
    const { autoStartToken } = await start();
    const { body } = await scan(link(autoStartToken), person.one);
    await said(body.id, 'yes');
    expect((await settled()).body).toMatchObject({ status: 'complete', next: { outcome: 'finished' } });
  });

  it('shows neither its reference nor the secret of its code to the browser', async () => {
    const { uid, start, collect } = browser();
    const begun = await start();
    const { body } = await collect();
    expect(Object.keys(begun).sort()).toEqual(['autoStartToken', 'qr']);
    expect(Object.keys(body).sort()).toEqual(['hint', 'qr', 'status']);
    const { payload } = await database.db
      .selectFrom('pending_sign_in')
      .select('payload')
      .where('key', '=', `bankid:${uid}`)
      .executeTakeFirstOrThrow();
    for (const secret of [payload.orderRef, payload.qrStartSecret])
      expect(JSON.stringify([begun, body])).not.toContain(secret);
  });

  it('can be collected by a node that did not start it, after that one is gone', async () => {
    const { start, collect } = browser();
    const first = await openNode();
    const begun = await start(first);
    await scan(begun.qr, person.one);
    await first.close();
    const second = await openNode();
    const waiting = await until(
      () => collect(second),
      ({ body }) => body.hint === 'userSign',
    );
    expect(waiting.body.status).toBe('pending');
    const [order] = await orders();
    await said(order?.id ?? '', 'yes');
    await until(
      () => collect(second),
      ({ body }) => body.status === 'complete',
    );
    expect(second.proofs).toHaveLength(1);
    await second.close();
  });

  it('gives one proof to two collects at the same moment', async () => {
    const { start, collect } = browser();
    const { qr } = await start();
    const { body } = await scan(qr, person.one);
    await said(body.id, 'yes');
    const other = await openNode();
    const before = node.proofs.length;
    const both = await until(
      () => Promise.all([collect(), collect(other), collect(), collect(other)]),
      (answers) => answers.some((answer) => answer.body.status === 'complete'),
    );
    expect(both.every(({ body: { status } }) => status === 'complete' || status === 'pending')).toBe(true);
    expect(node.proofs.length - before + other.proofs.length).toBe(1);
    await other.close();
  });

  it('is asked about at BankID with a pause, however often the browser asks', async () => {
    const { uid, start, collect, settled } = browser();
    const { qr } = await start();
    const { body } = await scan(qr, person.one);
    const setNext = (nextAt: number) =>
      database.database.pool.query('update pending_sign_in set payload = payload || $2 where key = $1', [
        `bankid:${uid}`,
        JSON.stringify({ nextAt }),
      ]);
    await until(collect, (answer) => answer.body.hint === 'userSign');
    await setNext(Date.now() + 60_000);
    await app('say', { id: body.id, status: 'failed', hint: 'certificateErr' });
    const early = await Promise.all(Array.from({ length: 10 }, () => collect()));
    expect(new Set(early.map((answer) => answer.body.hint))).toEqual(new Set(['userSign']));
    await setNext(0);
    expect((await settled()).body).toEqual({ status: 'failed', hint: 'certificateErr' });
  });

  const orders = async (): Promise<{ id: string; taken: boolean }[]> =>
    (await (await fetch(`${standIn.url}/orders`)).json()).filter((order: { taken: boolean }) => order.taken);
});

describe.concurrent('an order ends', () => {
  it('when the person says no', async () => {
    const { start, collect, settled } = browser();
    const { qr } = await start();
    const { body } = await scan(qr, person.one);
    await said(body.id, 'no');
    expect((await settled()).body).toEqual({ status: 'failed', hint: 'userCancel' });
    expect((await collect()).body).toEqual({ status: 'failed', hint: 'expiredTransaction' });
  });

  it('when the browser cancels it, at BankID too', async () => {
    const { start, collect, cancel } = browser();
    const { qr } = await start();
    expect(await cancel()).toEqual({ status: 200, body: {} });
    expect((await scan(qr, person.one)).body).toEqual({ fault: 'no-order' });
    expect((await collect()).body).toEqual({ status: 'failed', hint: 'expiredTransaction' });
    expect((await cancel()).status).toBe(200);
  });

  it('when another is started', async () => {
    const { start } = browser();
    const first = await start();
    const second = await start();
    expect((await scan(first.qr, person.one)).body).toEqual({ fault: 'no-order' });
    expect((await scan(second.qr, person.one)).status).toBe(200);
  });

  it.each(['certificateErr', 'cancelled', 'startFailed', 'expiredTransaction', 'transactionRiskBlocked'])(
    'with the hint %s',
    async (hint) => {
      const { start, settled } = browser();
      const { qr } = await start();
      const { body } = await scan(qr);
      await app('say', { id: body.id, status: 'failed', hint });
      expect((await settled()).body).toEqual({ status: 'failed', hint });
    },
  );

  it.each([...bankIdHints.slice(2, 7), 'somethingNew'])('never while it waits with the hint %s', async (hint) => {
    const { start, collect } = browser();
    const { qr } = await start();
    const { body } = await scan(qr);
    await app('say', { id: body.id, status: 'pending', hint });
    const known = bankIdHints.find((one) => one === hint) ?? 'unknown';
    expect((await until(collect, (answer) => answer.body.hint === known)).body).toEqual({
      status: 'pending',
      hint: known,
      qr: null,
    });
  });
});

describe.concurrent('nobody gets in', () => {
  it('with a code of ten seconds ago', async () => {
    const { start, collect } = browser();
    const { qr } = await start();
    await until(collect, ({ body }) => Number(body.qr.split('.')[2]) >= 10);
    expect((await scan(qr, person.one)).body).toEqual({ fault: 'old-code' });
  });

  it('with a code whose second was changed', async () => {
    const { start } = browser();
    const { qr } = await start();
    const [word, token, , code] = qr.split('.');
    expect((await scan([word, token, '1', code].join('.'), person.one)).body).toEqual({ fault: 'forged-code' });
  });

  it.each([
    ['no-account', person.unknown],
    ['account-inactive', person.gone],
  ])('who is refused: %s', async (code, number) => {
    const { start, collect } = browser();
    const { qr } = await start();
    const { body } = await scan(qr, number);
    await said(body.id, 'yes');
    const refused = await until(collect, ({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 403, body: { code } });
    expect((await collect()).body).toEqual({ status: 'failed', hint: 'expiredTransaction' });
  });

  it.each(['bankid', 'bankid/collect', 'bankid/cancel'])(
    'without the cookie of the interaction, at %s',
    async (call) => {
      const { uid, start } = browser();
      await start();
      expect(await node.post(uid, call, {}, { cookie: '' })).toMatchObject({
        status: 410,
        body: { code: 'sign-in-expired' },
      });
    },
  );

  it('at an archive that does not offer BankID', async () => {
    const { uid } = browser();
    const without = await signInNode((interactions) =>
      bankId({ db: database.db, settings: null, interactions, issuer: 'https://a.example', checkReplies: true }),
    );
    expect((await without.post(uid, 'bankid')).body).toEqual({ code: 'method-not-offered' });
    await without.close();
  });
});

it('somebody with two accounts is asked which', async () => {
  const { start, settled } = browser();
  const { qr } = await start();
  const { body } = await scan(qr, person.two);
  await said(body.id, 'yes');
  const done = await settled();
  expect(done.body.next.outcome).toBe('choose-account');
  expect(done.body.next.accounts).toHaveLength(2);
});

it('BankID hears the address of the person’s browser, IPv4 as IPv4', async () => {
  const { start } = browser();
  // The stand-in refuses what is no address.
  expect(await start(node, { 'x-forwarded-for': '::ffff:192.0.2.7' })).toHaveProperty('qr');
  expect(await start(node, { 'x-forwarded-for': '2001:db8::7' })).toHaveProperty('qr');
});

it('a short outage of BankID ends no order, a long one is told, and nothing of the person is logged', async () => {
  const { start, collect } = browser();
  const { qr } = await start();
  const { body } = await scan(qr, person.one);
  await app('away', { away: true });
  expect((await node.post(randomUUID(), 'bankid')).status).toBe(503);
  const told = await until(collect, ({ status }) => status !== 200);
  expect(told).toMatchObject({ status: 503, body: { code: 'method-away' } });
  await app('away', { away: false });
  await said(body.id, 'yes');
  expect((await until(collect, (answer) => answer.body.status === 'complete')).status).toBe(200);
  expect(node.log()).toContain('Maintenance');
  for (const number of Object.values(person)) expect(node.log()).not.toContain(number);
});
