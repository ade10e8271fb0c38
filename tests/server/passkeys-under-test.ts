import { afterAll, beforeAll, beforeEach } from 'vitest';
import { accountInfo, currentUser } from '../../contract/account.ts';
import type { PasskeyCreation, PasskeyRequest } from '../../contract/passkey-messages.ts';
import { passkeyAdd, passkeyOptions, passkeyProof, passkeysGet } from '../../contract/passkeys.ts';
import { openid, type TokenReply } from '../../contract/sign-in.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { begin } from './flow.ts';
import { bearer, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';
import { type Deviation, softwarePasskey } from './software-passkey.ts';

export const statusAndCode = async (reply: Response) => [reply.status, (await reply.json()).code];

/** Starts a server at localhost, where passkeys work, and returns the calls about them. */
export const passkeysUnderTest = () => {
  let database: TestDatabase;
  let running: RunningServer;
  let customerId: string;
  let count = 0;

  beforeAll(async () => {
    database = await testDatabase();
    customerId = (await addTwoClinics(database.db)).customerId;
    running = await runServer(database.database);
  });
  beforeEach(async () => {
    await database.db.deleteFrom('sign_in_attempt').execute();
  });
  afterAll(async () => {
    await running?.close();
    await database?.close();
  });

  const url = () => running.url.replace('127.0.0.1', 'localhost');

  const call = (route: { method: string; path: string }, tokens: TokenReply, body?: object, at = url()) =>
    fetch(`${at}${route.path}`, {
      method: route.method,
      headers: { ...bearer(tokens), ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  const proveByPassword = (tokens: TokenReply) => call(passkeyProof, tokens, { kind: 'password', password });

  const creation = async (tokens: TokenReply): Promise<PasskeyCreation> =>
    (await call(passkeyOptions, tokens, {})).json();

  const add = async (tokens: TokenReply, deviation: Deviation = {}, passkey = softwarePasskey(url())) => {
    const response = passkey.create(await creation(tokens), deviation);
    return { passkey, reply: await call(passkeyAdd, tokens, { name: 'Office', response }) };
  };

  const newUser = async (by: Partial<Parameters<typeof addAccount>[1]> = {}) => {
    count += 1;
    const email = `passkey${count}@prov.example`;
    const id = await addAccount(database.db, { email, role: 'Doctor', customerId, ...by });
    return { email, id, tokens: await signIn(url(), email) };
  };

  const withPasskey = async () => {
    const user = await newUser();
    await proveByPassword(user.tokens);
    const { passkey, reply } = await add(user.tokens);
    const { recoveryCodes } = await reply.json();
    return { ...user, passkey, codes: recoveryCodes as string[] };
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
    url,
    call,
    proveByPassword,
    creation,
    add,
    newUser,
    withPasskey,
    list: async (tokens: TokenReply) => (await (await call(passkeysGet, tokens)).json()).passkeys,
    infoOf: async (tokens: TokenReply) => currentUser.parse(await (await call(accountInfo, tokens)).json()),
    byPassword: (username: string, fields: Record<string, string> = {}) =>
      requestTokens(url(), { grant_type: 'password', username, password, scope: openid.scope, ...fields }),
    /** Starts a sign-in, at the step of its passkey. */
    start: async () => {
      const started = await begin(url(), `http://localhost${openid.callbackPath}`);
      return {
        ...started,
        request: async (): Promise<PasskeyRequest> => (await started.post('passkey_options', {})).json(),
      };
    },
    logOf: async (accountId: string) =>
      (
        await database.db
          .selectFrom('access_log')
          .select(['action', 'detail'])
          .where('account_id', '=', accountId)
          .orderBy('id')
          .execute()
      ).map(({ action, detail }) => (detail === null ? action : `${action}: ${detail}`)),
  };
};
