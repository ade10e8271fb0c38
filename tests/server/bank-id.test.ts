import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountNumbers, type BankIdUnderTest, bankIdCalls, bankIdUnderTest } from './bank-id-under-test.ts';
import { until } from './sign-in-under-test.ts';

let under: BankIdUnderTest;
const { browser, app, scan, link, answered } = bankIdCalls(() => under);

beforeAll(async () => {
  under = await bankIdUnderTest();
});
afterAll(() => under?.close());

describe('an order', () => {
  it('is scanned, signed and completed, and identifies the user', async () => {
    const { start, collect, settled } = browser();
    const started = await start();
    expect(started.qr).toMatch(/^bankid\.[\w-]+\.0\.[0-9a-f]{64}$/);
    expect((await collect()).body).toMatchObject({ status: 'pending', hint: 'outstandingTransaction' });
    const moved = await until(collect, ({ body }) => body.qr !== started.qr);
    expect(moved.body.qr.split('.')[2]).not.toBe('0');
    const taken = await scan(moved.body.qr, accountNumbers.one);
    expect(taken.status).toBe(200);
    expect(taken.body.visible).toContain('Du loggar in på archive.example');
    expect((await until(collect, ({ body }) => body.hint === 'userSign')).body.qr).toBeNull();
    await answered(taken.body.id, 'yes');
    const proofsBefore = under.node.proofs.length;
    expect((await settled()).body).toMatchObject({ status: 'complete', next: { outcome: 'finished' } });
    expect(under.node.proofs.at(-1)).toMatchObject({ method: 'bankid', amr: ['mfa', 'pop'], strong: true });
    expect(under.node.proofs.at(-1)?.accounts.map(({ id }) => id)).toEqual([under.clinic.doctorId]);
    // A browser whose reply was lost repeats the request; the user is signed in once.
    expect((await collect()).body).toMatchObject({ status: 'complete', next: { outcome: 'finished' } });
    expect(under.node.proofs).toHaveLength(proofsBefore + 1);
  });

  it('is opened on the same device by its token', async () => {
    const { start, settled } = browser();
    const { autoStartToken } = await start();
    const { body } = await scan(link(autoStartToken), accountNumbers.one);
    await answered(body.id, 'yes');
    expect((await settled()).body).toMatchObject({ status: 'complete', next: { outcome: 'finished' } });
  });

  it('exposes neither its reference nor its QR secret to the browser', async () => {
    const { uid, start, collect } = browser();
    const started = await start();
    const { body } = await collect();
    expect(Object.keys(started).sort()).toEqual(['autoStartToken', 'qr']);
    expect(Object.keys(body).sort()).toEqual(['hint', 'qr', 'status']);
    const { payload } = await under.database.db
      .selectFrom('pending_sign_in')
      .select('payload')
      .where('key', '=', `bankid:${uid}`)
      .executeTakeFirstOrThrow();
    for (const secret of [payload.orderRef, payload.qrStartSecret])
      expect(JSON.stringify([started, body])).not.toContain(secret);
  });

  it('can be collected by another node after the first one stopped', async () => {
    const { start, collect } = browser();
    const first = await under.openNode();
    const started = await start(first);
    await scan(started.qr, accountNumbers.one);
    await first.close();
    const second = await under.openNode();
    const waiting = await until(
      () => collect(second),
      ({ body }) => body.hint === 'userSign',
    );
    expect(waiting.body.status).toBe('pending');
    const [order] = await orders();
    await answered(order?.id ?? '', 'yes');
    await until(
      () => collect(second),
      ({ body }) => body.status === 'complete',
    );
    expect(second.proofs).toHaveLength(1);
    await second.close();
  });

  it('gives one proof for two concurrent collects', async () => {
    const { start, collect } = browser();
    const { qr } = await start();
    const { body } = await scan(qr, accountNumbers.one);
    await answered(body.id, 'yes');
    const other = await under.openNode();
    const before = under.node.proofs.length;
    const both = await until(
      () => Promise.all([collect(), collect(other), collect(), collect(other)]),
      (answers) => answers.some((answer) => answer.body.status === 'complete'),
    );
    expect(both.every(({ body: { status } }) => status === 'complete' || status === 'pending')).toBe(true);
    expect(under.node.proofs.length - before + other.proofs.length).toBe(1);
    await other.close();
  });

  it('is collected from BankID at a limited rate, however often the browser polls', async () => {
    const { uid, start, collect, settled } = browser();
    const { qr } = await start();
    const { body } = await scan(qr, accountNumbers.one);
    const setNext = (nextAt: number) =>
      under.database.database.pool.query('update pending_sign_in set payload = payload || $2 where key = $1', [
        `bankid:${uid}`,
        JSON.stringify({ nextAt }),
      ]);
    await until(collect, (answer) => answer.body.hint === 'userSign');
    await setNext(Date.now() + 60_000);
    await app('set-state', { id: body.id, status: 'failed', hint: 'certificateErr' });
    const early = await Promise.all(Array.from({ length: 10 }, () => collect()));
    expect(new Set(early.map((answer) => answer.body.hint))).toEqual(new Set(['userSign']));
    await setNext(0);
    expect((await settled()).body).toEqual({ status: 'failed', hint: 'certificateErr' });
  });

  const orders = async (): Promise<{ id: string; taken: boolean }[]> =>
    (await (await fetch(`${under.standIn.url}/orders`)).json()).filter((order: { taken: boolean }) => order.taken);
});

it('a user with two accounts is asked to choose', async () => {
  const { start, settled } = browser();
  const { qr } = await start();
  const { body } = await scan(qr, accountNumbers.two);
  await answered(body.id, 'yes');
  const done = await settled();
  expect(done.body.next.outcome).toBe('choose-account');
  expect(done.body.next.accounts).toHaveLength(2);
});

it('passes the address of the browser to BankID, IPv4 as IPv4', async () => {
  const { start } = browser();
  // The stand-in rejects invalid addresses.
  expect(await start(under.node, { 'x-forwarded-for': '::ffff:192.0.2.7' })).toHaveProperty('qr');
  expect(await start(under.node, { 'x-forwarded-for': '2001:db8::7' })).toHaveProperty('qr');
});

it('tolerates a short outage of BankID, reports a long one, and logs no personal data', async () => {
  const { start, collect } = browser();
  const { qr } = await start();
  const { body } = await scan(qr, accountNumbers.one);
  await app('away', { away: true });
  expect((await under.node.post(randomUUID(), 'bankid')).status).toBe(503);
  const failed = await until(collect, ({ status }) => status !== 200);
  expect(failed).toMatchObject({ status: 503, body: { code: 'method-away' } });
  await app('away', { away: false });
  await answered(body.id, 'yes');
  expect((await until(collect, (answer) => answer.body.status === 'complete')).status).toBe(200);
  expect(under.node.log()).toContain('Maintenance');
  for (const number of Object.values(accountNumbers)) expect(under.node.log()).not.toContain(number);
});
