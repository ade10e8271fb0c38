import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openid } from '../../contract/sign-in.ts';
import { createCodeFlow } from '../../src/services/oidc.ts';
import { createTokens, type TextStore } from '../../src/services/tokens.ts';

/** A real HTTP server of the test on a free port. */
export const listening = async (reply: RequestListener) => {
  const server = createServer(reply);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('latin1');
};

export const memoryStore = () => {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  };
};

/** An unsigned token with the account's id. */
export const tokenOf = (sub: string, round: number): string => {
  const claims = { sub, exp: round, permission: [], role: [], customer_id: null };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${round}`;
};

export const accountId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
export const otherAccountId = '5f0f9f43-3b0c-4f0a-9a37-1d2b7a3f2c11';

/** A token endpoint with numbered tokens. It accepts each refresh token once, or again with the secret of its first use. */
export const tokenGiver = () => {
  let count = 0;
  let good = true;
  let renewals = 0;
  let used: { token: string | null; attempt: string | null } | null = null;
  const attempts: (string | null)[] = [];
  const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
  const give = (form: URLSearchParams) => {
    if (form.get('grant_type') === 'password' && form.get('password') !== 'right')
      return { status: 400, body: { error: 'invalid_grant', error_description: 'incorrect-login' } };
    if (form.get('grant_type') === 'refresh_token') {
      const [token, attempt] = [form.get('refresh_token'), form.get(openid.attemptParameter)];
      attempts.push(attempt);
      const isRepeated = used !== null && attempt !== null && used.token === token && used.attempt === attempt;
      if (!isRepeated) {
        if (token !== `refresh-${count}`) return invalidGrant;
        renewals += 1;
        count += 1;
        used = { token, attempt };
      }
    } else count += 1;
    good = true;
    const tokens = { access_token: tokenOf(accountId, count), refresh_token: `refresh-${count}`, token_type: 'Bearer' };
    return { status: 200, body: { ...tokens, expires_in: 300, scope: openid.scope } };
  };
  return {
    give,
    isGood: (request: IncomingMessage) =>
      good && request.headers.authorization === `Bearer ${tokenOf(accountId, count)}`,
    /** Rejects the current access token from now on; its refresh token stays valid. */
    spoil: () => {
      good = false;
    },
    /** Rejects the refresh token too. */
    revoke: () => {
      good = false;
      count += 1;
    },
    renewals: () => renewals,
    /** The secrets of the renewals, one for each attempt. */
    attempts: () => attempts,
  };
};

/** Local storage as in browsers. */
export const storage = (): Storage => {
  const held = new Map<string, string>();
  return {
    getItem: (key) => held.get(key) ?? null,
    key: (index) => [...held.keys()][index] ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
    clear: () => held.clear(),
    get length() {
      return held.size;
    },
  };
};

/** The tokens of a browser with this store, renewed by oidc-client-ts as in the product. */
export const tokensIn = (origin: string, store: TextStore, now?: () => number) =>
  createTokens({ origin, store, refresh: createCodeFlow(origin, storage()).renew, ...(now && { now }) });
