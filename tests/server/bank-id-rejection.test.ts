import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankIdHints } from '../../contract/bank-id-orders.ts';
import { bankId } from '../../server/identity/bank-id/bank-id.ts';
import { bankIdOrders } from '../../server/identity/bank-id/bank-id-orders.ts';
import { accountNumbers, type BankIdUnderTest, bankIdCalls, bankIdUnderTest } from './bank-id-under-test.ts';
import { signInNode, until } from './sign-in-under-test.ts';

let under: BankIdUnderTest;
const { browser, app, scan, answered } = bankIdCalls(() => under);

beforeAll(async () => {
  under = await bankIdUnderTest();
});
afterAll(() => under?.close());

describe.concurrent('an order ends', () => {
  it('when the user cancels', async () => {
    const { start, collect, settled } = browser();
    const { qr } = await start();
    const { body } = await scan(qr, accountNumbers.one);
    await answered(body.id, 'no');
    expect((await settled()).body).toEqual({ status: 'failed', hint: 'userCancel' });
    expect((await collect()).body).toEqual({ status: 'failed', hint: 'expiredTransaction' });
  });

  it('when the browser cancels it, at BankID too', async () => {
    const { start, collect, cancel } = browser();
    const { qr } = await start();
    expect(await cancel()).toEqual({ status: 200, body: {} });
    expect((await scan(qr, accountNumbers.one)).body).toEqual({ error: 'no-order' });
    expect((await collect()).body).toEqual({ status: 'failed', hint: 'expiredTransaction' });
    expect((await cancel()).status).toBe(200);
  });

  it('when another one is started', async () => {
    const { start } = browser();
    const first = await start();
    const second = await start();
    expect((await scan(first.qr, accountNumbers.one)).body).toEqual({ error: 'no-order' });
    expect((await scan(second.qr, accountNumbers.one)).status).toBe(200);
  });

  it.each(['certificateErr', 'cancelled', 'startFailed', 'expiredTransaction', 'transactionRiskBlocked'])(
    'with the hint %s',
    async (hint) => {
      const { start, settled } = browser();
      const { qr } = await start();
      const { body } = await scan(qr);
      await app('set-state', { id: body.id, status: 'failed', hint });
      expect((await settled()).body).toEqual({ status: 'failed', hint });
    },
  );

  it.each([...bankIdHints.slice(2, 7), 'somethingNew'])('never while it waits with the hint %s', async (hint) => {
    const { start, collect } = browser();
    const { qr } = await start();
    const { body } = await scan(qr);
    await app('set-state', { id: body.id, status: 'pending', hint });
    const known = bankIdHints.find((one) => one === hint) ?? 'unknown';
    expect((await until(collect, (answer) => answer.body.hint === known)).body).toEqual({
      status: 'pending',
      hint: known,
      qr: null,
    });
  });
});

describe.concurrent('sign-in is rejected', () => {
  it('with a code from ten seconds ago', async () => {
    const { start, collect } = browser();
    const { qr } = await start();
    await until(collect, ({ body }) => Number(body.qr.split('.')[2]) >= 10);
    expect((await scan(qr, accountNumbers.one)).body).toEqual({ error: 'old-code' });
  });

  it('with a code whose second was changed', async () => {
    const { start } = browser();
    const { qr } = await start();
    const [word, token, , code] = qr.split('.');
    expect((await scan([word, token, '1', code].join('.'), accountNumbers.one)).body).toEqual({ error: 'forged-code' });
  });

  it.each([
    ['no-account', accountNumbers.unknown],
    ['account-inactive', accountNumbers.gone],
  ])('for %s', async (code, number) => {
    const { start, collect } = browser();
    const { qr } = await start();
    const { body } = await scan(qr, number);
    await answered(body.id, 'yes');
    const rejected = await until(collect, ({ status }) => status !== 200);
    expect(rejected).toMatchObject({ status: 403, body: { code } });
    expect((await collect()).body).toEqual({ status: 'failed', hint: 'expiredTransaction' });
  });

  it.each(['bankid', 'bankid/collect', 'bankid/cancel'])(
    'without the cookie of the interaction, at %s',
    async (call) => {
      const { uid, start } = browser();
      await start();
      expect(await under.node.post(uid, call, {}, { cookie: '' })).toMatchObject({
        status: 410,
        body: { code: 'sign-in-expired' },
      });
    },
  );

  it('when BankID is not configured', async () => {
    const { uid } = browser();
    const without = await signInNode((interactions) =>
      bankId({
        db: under.database.db,
        orders: bankIdOrders({ db: under.database.db, settings: null, issuer: 'https://a.example' }),
        interactions,
        checkReplies: true,
      }),
    );
    expect((await without.post(uid, 'bankid')).body).toMatchObject({ code: 'method-not-offered' });
    await without.close();
  });
});
