import { decodeJwt } from 'jose';
import type { Kysely } from 'kysely';
import type { UpstreamMethod } from '../../contract/sign-in.ts';
import type { Schema } from '../../server/db/schema.ts';
import { testUsers } from '../../stand-ins/openid/test-users.ts';
import { begin, type CookieJar, exchange, type StartedSignIn } from './flow.ts';

const localRedirectUri = 'http://localhost/auth/callback';

/** Returns a user of the test providers, by first name. */
const testUserNamed = (firstName: string) => {
  const found = testUsers.find((one) => one.firstName === firstName);
  if (!found) throw new Error(`no test user is called ${firstName}`);
  return found;
};
export const maja = testUserNamed('Maja');
export const goran = testUserNamed('Göran');
export const henrik = testUserNamed('Henrik');
export const unknownUser = testUserNamed('Okänd');

/** Links an account to a test user, by one of the supported identifiers. */
export const give = (
  db: Kysely<Schema>,
  accountId: string,
  fields: { personal_number?: string | null; azure_username?: string | null; email?: string; is_active?: boolean },
) => db.updateTable('account').set(fields).where('id', '=', accountId).execute();

export const locationOf = (reply: Response): string => {
  const location = reply.headers.get('location');
  if (!location) throw new Error(`no redirect from ${reply.url}: ${reply.status}`);
  return new URL(location, reply.url).href;
};

/** Starts our own client's authorization request; returns the URL of the external provider. */
export const startExternalSignIn = async (
  url: string,
  method: UpstreamMethod,
  extra: Record<string, string> = {},
  redirectUri = localRedirectUri,
) => {
  const started = await begin(url, redirectUri, { method, ...extra });
  const sent = await started.get('');
  return { started, there: locationOf(await started.jar.fetch(locationOf(sent))) };
};

interface There {
  readonly user: string;
  readonly strong?: boolean;
  readonly deny?: boolean;
}

/** Signs in at the provider; returns the callback URL, not yet visited. */
export const signInAtProvider = async (
  jar: CookieJar,
  there: string,
  { user, strong, deny }: There,
): Promise<string> => {
  const page = locationOf(await jar.fetch(there));
  const form = new URLSearchParams({ user, go: deny ? 'no' : 'yes', ...(strong ? { strong: '1' } : {}) });
  const resumed = locationOf(await jar.fetch(page, { method: 'POST', body: form }));
  return locationOf(await jar.fetch(resumed));
};

/** Follows the callback through every page of the archive, including the last one. */
export const followCallback = async (jar: CookieJar, callback: string): Promise<string[]> => {
  const passed: string[] = [];
  let next = callback;
  // The callback of our own client and the application pages belong to the browser; no server here.
  while (!/\/auth\/callback|\/authorization(\?|$)/.test(next)) {
    next = locationOf(await jar.fetch(next));
    passed.push(next);
  }
  return passed;
};

export interface Ended {
  readonly started: StartedSignIn;
  /** `problem`, `step`, `interaction` of the page, or `code` at the end. */
  readonly end: URLSearchParams;
  readonly passed: readonly string[];
}

/** Runs the whole flow in one browser. */
export const signInExternally = async (
  url: string,
  method: UpstreamMethod,
  who: There,
  redirectUri = localRedirectUri,
): Promise<Ended> => {
  const { started, there } = await startExternalSignIn(url, method, {}, redirectUri);
  const passed = await followCallback(started.jar, await signInAtProvider(started.jar, there, who));
  return { started, passed, end: new URL(passed.at(-1) ?? '').searchParams };
};

/** Returns the user of the resulting tokens and their authentication methods. */
export const tokensOf = async (url: string, { started, end }: Ended): Promise<{ sub: unknown; amr: unknown }> => {
  const code = end.get('code');
  if (!code) throw new Error(`not signed in: ${end}`);
  const reply = await exchange(url, code, started);
  const { sub, amr } = decodeJwt((await reply.json()).id_token);
  return { sub, amr };
};
