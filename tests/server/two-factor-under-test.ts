import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { accountInfo, currentUser } from '../../contract/account.ts';
import { openid, type TokenReply } from '../../contract/sign-in.ts';
import { twoFactorDisable, twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import { codeOf } from './authenticator.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';

export const step = 30_000;

/** Advances by one time step. */
export const later = (steps = 1) => vi.setSystemTime(Date.now() + steps * step);

export const errorOf = async (reply: Response) => [reply.status, (await reply.json()).error_description];

/** Starts a server, whose tests set the time, and returns the calls of two-factor authentication. */
export const twoFactorUnderTest = () => {
  let database: TestDatabase;
  let running: RunningServer;
  let customerId: string;

  beforeAll(async () => {
    database = await testDatabase();
    customerId = (await addTwoClinics(database.db)).customerId;
    running = await runServer(database.database);
  });

  // Only the clock of this process; the database and all timers are unaffected.
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await database.db.deleteFrom('sign_in_attempt').execute();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  afterAll(async () => {
    await running?.close();
    await database?.close();
  });

  const byPassword = (username: string, fields: Record<string, string> = {}) =>
    requestTokens(running.url, { grant_type: 'password', username, password, scope: openid.scope, ...fields });

  const call = (route: { method: string; path: string }, tokens: TokenReply, body?: object) =>
    fetch(`${running.url}${route.path}`, {
      method: route.method,
      headers: { ...bearer(tokens), ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  const verify = (tokens: TokenReply, verificationCode: string) => call(twoFactorVerify, tokens, { verificationCode });
  const disable = (tokens: TokenReply, verificationCode: string) =>
    call(twoFactorDisable, tokens, { verificationCode });

  const keyFor = async (tokens: TokenReply): Promise<string> =>
    (await (await call(twoFactorSetup, tokens)).json()).data.sharedKey;

  const infoOf = async (tokens: TokenReply) => currentUser.parse(await (await call(accountInfo, tokens)).json());

  const renewed = async (tokens: TokenReply) =>
    requestTokens(running.url, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' });

  const logOf = async (accountId: string) =>
    (
      await database.db.selectFrom('access_log').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
    ).map(({ action, detail }) => (detail === null ? action : `${action}: ${detail}`));

  let count = 0;

  /** A user with two-factor on; the current code is already used. */
  const withTwoFactor = async () => {
    count += 1;
    const email = `two${count}@prov.example`;
    const id = await addAccount(database.db, { email, role: 'Doctor', customerId });
    const first = await signIn(running.url, email);
    const key = await keyFor(first);
    const reply = await verify(first, codeOf(key));
    expect(reply.status).toBe(200);
    const codes: string[] = (await reply.json()).data.recoveryCodes;
    later();
    return { email, id, key, codes, first };
  };

  return {
    get database() {
      return database;
    },
    get running() {
      return running;
    },
    get customerId() {
      return customerId;
    },
    byPassword,
    call,
    verify,
    disable,
    keyFor,
    infoOf,
    renewed,
    logOf,
    withTwoFactor,
  };
};
