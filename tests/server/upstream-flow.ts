import { decodeJwt } from 'jose';
import type { Kysely } from 'kysely';
import type { UpstreamMethod } from '../../contract/sign-in.ts';
import type { Schema } from '../../server/db/schema.ts';
import { testPeople } from '../../stand-ins/openid/people.ts';
import { type Begun, begin, type CookieJar, exchange } from './flow.ts';

const redirectUri = 'http://localhost/auth/callback';

/** A person of the test providers, by first name. */
const personCalled = (firstName: string) => {
  const found = testPeople.find((person) => person.firstName === firstName);
  if (!found) throw new Error(`nobody is called ${firstName}`);
  return found;
};
export const maja = personCalled('Maja');
export const goran = personCalled('Göran');
export const henrik = personCalled('Henrik');
export const stranger = personCalled('Okänd');

/** Makes an account that of a test person, in one of the ways in which people are found. */
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

/** The authorization request of our own client, up to the provider elsewhere: its address there. */
export const leave = async (url: string, method: UpstreamMethod, extra: Record<string, string> = {}) => {
  const begun = await begin(url, redirectUri, { method, ...extra });
  const sent = await begun.get('');
  return { begun, there: locationOf(await begun.jar.fetch(locationOf(sent))) };
};

interface There {
  readonly person: string;
  readonly strong?: boolean;
  readonly deny?: boolean;
}

/** Signs in at the provider; answers with the address that leads back to the archive, not yet visited. */
export const signInThere = async (jar: CookieJar, there: string, { person, strong, deny }: There): Promise<string> => {
  const page = locationOf(await jar.fetch(there));
  const form = new URLSearchParams({ person, go: deny ? 'no' : 'yes', ...(strong ? { strong: '1' } : {}) });
  const resumed = locationOf(await jar.fetch(page, { method: 'POST', body: form }));
  return locationOf(await jar.fetch(resumed));
};

/** From the provider back; every page of the archive on the way, the last one included. */
export const comeHome = async (jar: CookieJar, callback: string): Promise<string[]> => {
  const passed: string[] = [];
  let next = callback;
  // The callback of our own client and the pages of the application are the browser's; nobody serves them here.
  while (!/\/auth\/callback|\/authorization(\?|$)/.test(next)) {
    next = locationOf(await jar.fetch(next));
    passed.push(next);
  }
  return passed;
};

export interface Ended {
  readonly begun: Begun;
  /** `problem`, `step`, `interaction` of the page, or `code` of the end. */
  readonly end: URLSearchParams;
  readonly passed: readonly string[];
}

/** All of it, by one browser. */
export const signInElsewhere = async (url: string, method: UpstreamMethod, who: There): Promise<Ended> => {
  const { begun, there } = await leave(url, method);
  const passed = await comeHome(begun.jar, await signInThere(begun.jar, there, who));
  return { begun, passed, end: new URL(passed.at(-1) ?? '').searchParams };
};

/** Whom the tokens at the end of it are of, and how they say that was proved. */
export const tokensOf = async (url: string, { begun, end }: Ended): Promise<{ sub: unknown; amr: unknown }> => {
  const code = end.get('code');
  if (!code) throw new Error(`not signed in: ${end}`);
  const reply = await exchange(url, code, begun);
  const { sub, amr } = decodeJwt((await reply.json()).id_token);
  return { sub, amr };
};
