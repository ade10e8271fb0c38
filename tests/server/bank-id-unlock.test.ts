import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountInfo, currentUser } from '../../contract/account.ts';
import {
  sessionBankIdCancel,
  sessionBankIdCollect,
  sessionBankIdStart,
  sessionLock,
  sessionsGet,
  sessionUnlock,
} from '../../contract/sessions.ts';
import type { TokenReply } from '../../contract/sign-in.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';
import { newFolder, until } from './sign-in-under-test.ts';
import { startStandIn } from './stand-in-process.ts';

const numbers = { own: '199001019802', other: '198506159811' };

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof newFolder>>;
let bankId: StandIn;
let running: RunningServer;
let customerId: string;
let count = 0;

beforeAll(async () => {
  database = await testDatabase();
  customerId = (await addTwoClinics(database.db)).customerId;
  folder = await newFolder();
  bankId = await startStandIn('bank-id', { folder: folder.folder });
  running = await runServer(database.database, { identity: readIdentitySettings(bankId.environment) });
});
afterAll(async () => {
  await running?.close();
  await bankId?.close();
  await folder?.remove();
  await database?.close();
});

const app = async (call: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${bankId.url}/${call}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
};

/** A signed-in user with this personal number, and the calls of its session. */
const userWith = async (personalNumber: string | null) => {
  count += 1;
  const email = `bankid${count}@prov.example`;
  const id = await addAccount(database.db, { email, role: 'Doctor', customerId });
  await database.db.updateTable('account').set({ personal_number: personalNumber }).where('id', '=', id).execute();
  return { id, email, ...sessionOf(await signIn(running.url, email)) };
};

const sessionOf = (tokens: TokenReply, url = running.url) => {
  const call = async (route: { method: string; path: string }, body?: object) => {
    const reply = await fetch(`${url}${route.path}`, {
      method: route.method,
      headers: { ...bearer(tokens), ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: reply.status, body: await reply.json() };
  };
  const collect = () => call(sessionBankIdCollect, {});
  const start = async (): Promise<{ qr: string; autoStartToken: string }> => (await call(sessionBankIdStart, {})).body;
  return {
    call,
    collect,
    start,
    lock: () => call(sessionLock, {}),
    isOpen: async () => (await call(sessionsGet)).status === 200,
    /** Scans the code of a new order and answers in the app. Resolves with the settled reply. */
    identify: async (as: string, answer: 'yes' | 'no' = 'yes') => {
      const { id } = await app('scan', { text: (await start()).qr, personalNumber: as });
      await app('answer', { id, answer });
      return (await until(collect, ({ body }) => body.status !== 'pending')).body;
    },
    unlock: async () => {
      const { status, body } = await call(sessionUnlock, { bankId: true });
      return [status, body.code];
    },
    canUseBankId: async () => currentUser.parse((await call(accountInfo)).body).bankId,
  };
};

const logOf = async (accountId: string) =>
  (
    await database.db
      .selectFrom('access_log')
      .select(['action', 'detail'])
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute()
  ).map(({ action, detail }) => `${action}: ${detail}`);
const opened = [200, undefined];
const refused = [400, 'incorrect-bankid'];

describe('a locked session', () => {
  it('is unlocked by the BankID of its user, which the log names', async () => {
    const user = await userWith('900101-9802');
    await user.lock();
    expect(await user.canUseBankId()).toBe(true);
    expect(await user.identify(numbers.own)).toEqual({ status: 'complete' });
    // A browser whose reply was lost asks again; identifying alone unlocks nothing.
    expect((await user.collect()).body).toEqual({ status: 'complete' });
    expect(await user.isOpen()).toBe(false);
    expect(await user.unlock()).toEqual(opened);
    expect(await user.isOpen()).toBe(true);
    expect(await logOf(user.id)).toContain('session.unlocked: bankid');
  });

  it('stays locked for the BankID of another person, which the log names', async () => {
    const user = await userWith('900101-9802');
    await user.lock();
    expect(await user.identify(numbers.other)).toEqual({ status: 'complete' });
    expect(await user.unlock()).toEqual([400, 'incorrect-bankid']);
    expect(await user.isOpen()).toBe(false);
    expect(await logOf(user.id)).toContain('sign-in.refused: incorrect-bankid');
  });

  it('stays locked without an order, for a rejected one, a used one, and one of another session', async () => {
    const user = await userWith('900101-9802');
    const elsewhere = sessionOf(await signIn(running.url, user.email));
    await user.lock();
    await elsewhere.lock();
    expect(await user.unlock()).toEqual(refused);
    await user.start();
    expect(await user.unlock()).toEqual(refused);
    expect(await user.identify(numbers.own, 'no')).toEqual({ status: 'failed', hint: 'userCancel' });
    expect(await user.unlock()).toEqual(refused);
    await elsewhere.identify(numbers.own);
    expect(await user.unlock()).toEqual(refused);
    expect(await elsewhere.unlock()).toEqual(opened);
    await elsewhere.lock();
    expect(await elsewhere.unlock()).toEqual(refused);
    expect(await user.isOpen()).toBe(false);
  });

  it('names in the app what it is for, and forgets a cancelled order', async () => {
    const user = await userWith('900101-9802');
    await user.lock();
    const { visible } = await app('scan', { text: (await user.start()).qr, personalNumber: numbers.own });
    expect(visible).toContain('Du låser upp en låst sida på');
    expect((await user.call(sessionBankIdCancel, {})).status).toBe(200);
    expect((await user.collect()).body).toMatchObject({ status: 'failed' });
  });

  it.each([null, '0101901234'])('has no BankID for a user with the personal number %s', async (number) => {
    const user = await userWith(number);
    await user.lock();
    expect(await user.canUseBankId()).toBe(false);
    expect((await user.call(sessionBankIdStart, {})).body).toMatchObject({ code: 'not-found' });
  });

  it('has no BankID at an archive without it', async () => {
    const user = await userWith('900101-9802');
    const without = await runServer(database.database);
    const there = sessionOf(await signIn(without.url, user.email), without.url);
    expect(await there.canUseBankId()).toBe(false);
    expect((await there.call(sessionBankIdStart, {})).body).toMatchObject({ code: 'not-found' });
    expect((await there.collect()).body).toMatchObject({ code: 'method-not-offered' });
    await there.lock();
    expect(await there.unlock()).toEqual(refused);
    await without.close();
  });
});
