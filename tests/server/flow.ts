import { createHash, randomBytes } from 'node:crypto';
import { openid, type TokenReply } from '../../contract/sign-in.ts';

/** A browser's cookies as far as the flow needs them, matched by path (RFC 6265 section 5.1.4). */
export const cookieJar = () => {
  const cookies = new Map<string, { value: string; path: string; line: string }>();
  const matches = (path: string, cookiePath: string): boolean =>
    path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
  const sent = (path: string): string =>
    [...cookies.values()]
      .filter((one) => matches(path, one.path))
      .map(({ value }) => value)
      .join('; ');
  return {
    /** Returns the Cookie header for a path. */
    sent,
    names: () => [...cookies.values()].map(({ value }) => value.split('=')[0]),
    /** Attributes of each cookie. */
    attributes: () => [...cookies.values()].map(({ line }) => line),
    clear: () => cookies.clear(),
    fetch: async (address: string, init: RequestInit = {}): Promise<Response> => {
      const cookie = sent(new URL(address).pathname);
      const headers = { ...init.headers, ...(cookie ? { cookie } : {}) };
      const reply = await fetch(address, { ...init, headers, redirect: 'manual' });
      for (const line of reply.headers.getSetCookie()) {
        const [value = '', ...attributes] = line.split(/; ?/);
        const path = attributes.find((one) => one.startsWith('path='))?.slice(5) ?? '/';
        const isGone = attributes.some((one) => one.startsWith('expires=Thu, 01 Jan 1970'));
        const key = `${value.split('=')[0]} ${path}`;
        if (isGone) cookies.delete(key);
        else cookies.set(key, { value, path, line });
      }
      return reply;
    },
  };
};
export type CookieJar = ReturnType<typeof cookieJar>;

export const newVerifier = (): string => randomBytes(32).toString('base64url');
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export interface StartedSignIn {
  readonly jar: CookieJar;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly uid: string;
  /** Path below the interaction. */
  post(call: string, body: object): Promise<Response>;
  get(call: string): Promise<Response>;
}

/** Returns the authorization URL of the browser client; empty parameters are omitted. */
export const authorizeUrl = (
  url: string,
  redirectUri: string,
  verifier: string,
  extra: Record<string, string> = {},
) => {
  const parameters = {
    client_id: openid.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: openid.scope,
    state: 'a-state',
    nonce: 'a-nonce',
    prompt: 'login',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...extra,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return `${url}${openid.authorizePath}?${new URLSearchParams(Object.fromEntries(given))}`;
};

export const begin = async (
  url: string,
  redirectUri: string,
  extra: Record<string, string> = {},
  jar = cookieJar(),
): Promise<StartedSignIn> => {
  const verifier = newVerifier();
  const reply = await jar.fetch(authorizeUrl(url, redirectUri, verifier, extra));
  const uid = /^\/interaction\/([\w-]+)$/.exec(reply.headers.get('location') ?? '')?.[1];
  if (!uid) throw new Error(`no interaction: ${reply.status} ${reply.headers.get('location')} ${await reply.text()}`);
  const headers = { 'content-type': 'application/json' };
  return {
    jar,
    verifier,
    redirectUri,
    uid,
    post: (call, body) =>
      jar.fetch(`${url}/interaction/${uid}/${call}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    get: (call) => jar.fetch(`${url}/interaction/${uid}${call && `/${call}`}`),
  };
};

/** Follows the redirects from the finished interaction to the client; returns the callback parameters. */
export const comeBack = async (url: string, jar: CookieJar, redirectTo: string): Promise<URLSearchParams> => {
  const reply = await jar.fetch(new URL(redirectTo, url).href);
  return new URL(reply.headers.get('location') ?? 'about:blank', url).searchParams;
};

export const exchange = (
  url: string,
  code: string,
  { verifier, redirectUri }: Pick<StartedSignIn, 'verifier' | 'redirectUri'>,
  extra: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${url}${openid.tokenPath}`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: openid.clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...extra,
    }),
  });

/** Runs the whole code flow for a user without two-factor. */
export const signInByCode = async (
  url: string,
  redirectUri: string,
  who: { readonly username: string; readonly password: string },
): Promise<TokenReply & { readonly code: string; readonly started: StartedSignIn }> => {
  const started = await begin(url, redirectUri);
  const outcome = await (await started.post('password', who)).json();
  if (outcome.outcome !== 'finished') throw new Error(`not signed in: ${JSON.stringify(outcome)}`);
  const code = (await comeBack(url, started.jar, outcome.redirectTo)).get('code') ?? '';
  const reply = await exchange(url, code, started);
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return { ...(await reply.json()), code, started };
};
