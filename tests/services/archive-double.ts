import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openid } from '../../contract/sign-in.ts';

/** A real HTTP server of the test's own on a free port. */
export const listening = async (answer: RequestListener) => {
  const server = createServer(answer);
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

/** An identity service that gives numbered tokens, and takes each refresh token once. */
export const tokenGiver = () => {
  let count = 0;
  let good = true;
  let renewals = 0;
  const give = (form: URLSearchParams) => {
    if (form.get('grant_type') === 'password' && form.get('password') !== 'right')
      return { status: 400, body: { error: 'invalid_grant', error_description: 'incorrect-login' } };
    if (form.get('grant_type') === 'refresh_token') {
      if (form.get('refresh_token') !== `refresh-${count}`) return { status: 400, body: { error: 'invalid_grant' } };
      renewals += 1;
    }
    count += 1;
    good = true;
    const tokens = { access_token: `access-${count}`, refresh_token: `refresh-${count}`, token_type: 'Bearer' };
    return { status: 200, body: { ...tokens, expires_in: 300, scope: openid.scope } };
  };
  return {
    give,
    isGood: (request: IncomingMessage) => good && request.headers.authorization === `Bearer access-${count}`,
    /** The present access token is refused from now on; its refresh token is still good. */
    spoil: () => {
      good = false;
    },
    /** The refresh token is refused too. */
    revoke: () => {
      good = false;
      count += 1;
    },
    renewals: () => renewals,
  };
};
