import { decodeJwt, importJWK, SignJWT } from 'jose';
import { accountInfo } from '../../../contract/account.ts';
import { signingAlgorithm } from '../../../server/identity/key-generations.ts';
import { openKeys } from '../../../server/identity/keys.ts';
import type { Random } from '../../dicom/mutate.ts';
import type { TestDatabase } from '../database.ts';
import { signIn } from '../running-server.ts';
import { vaultUnderTest } from '../vault-under-test.ts';

/** Callers by weight. */
const weights = { super: 4, admin: 4, doctor: 4, otherAdmin: 2, none: 1, garbage: 1, expired: 1 } as const;
export type CallerName = keyof typeof weights;
const chosen = Object.entries(weights).flatMap(([name, times]) => Array<CallerName>(times).fill(name as CallerName));
export const callerOf = (random: Random): CallerName => chosen[random(chosen.length)] ?? 'none';

/** Callers whose every call of a protected route is refused. */
export const unknownCallers: readonly CallerName[] = ['none', 'garbage', 'expired'];

const users = ['super', 'admin', 'doctor', 'otherAdmin'] as const;
const garbage = [
  'Bearer',
  'Bearer x',
  'Bearer a.b.c',
  'Basic YTpi',
  `Bearer ${'x'.repeat(6_000)}`,
  'bearer\t',
  'Bearer null',
];
const tokenSeconds = 120;

/** Signs users in, and again before their tokens expire or after a request has ended their sessions. */
export const callersOf = (database: TestDatabase, url: string) => {
  const tokens = new Map<CallerName, string>();
  let expired = '';

  const signOf = async (token: string): Promise<string> => {
    const { tokens: keys } = (await openKeys(database.db, vaultUnderTest())).current();
    const key = keys[0] as Record<string, unknown>;
    const { iat = 0, ...claims } = decodeJwt(token);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: signingAlgorithm, kid: String(key.kid), typ: 'at+jwt' })
      .setIssuedAt(iat - 3_600)
      .setExpirationTime(iat - 3_000)
      .sign(await importJWK(key, signingAlgorithm));
  };

  /** Whether a user still has a session, and a token that outlasts a group of requests. */
  const isSignedIn = async (name: CallerName): Promise<boolean> => {
    const token = tokens.get(name);
    if (token === undefined || (decodeJwt(token).exp ?? 0) * 1_000 < Date.now() + tokenSeconds * 1_000) return false;
    const reply = await fetch(`${url}${accountInfo.path}`, { headers: { authorization: `Bearer ${token}` } });
    return reply.ok && accountInfo.reply.parse(await reply.json()).restriction === null;
  };

  return {
    signInAgain: async (): Promise<void> => {
      for (const name of users)
        if (!(await isSignedIn(name)))
          tokens.set(name, (await signIn(url, `${name.toLowerCase()}@prov.example`)).access_token);
      expired = await signOf(tokens.get('super') ?? '');
    },
    headersOf: (name: CallerName, random: Random): Record<string, string> => {
      if (name === 'none') return {};
      if (name === 'garbage') return { authorization: garbage[random(garbage.length)] ?? '' };
      return { authorization: `Bearer ${name === 'expired' ? expired : tokens.get(name)}` };
    },
    secrets: (): readonly string[] => [...tokens.values(), expired],
  };
};
