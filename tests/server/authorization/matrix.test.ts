import { Readable } from 'node:stream';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canCall } from '../../../contract/can-call.ts';
import { defaultClaims, hasClaim, type RoleName } from '../../../contract/claims.ts';
import type { Route } from '../../../contract/route.ts';
import { routes } from '../../../contract/routes.ts';
import { openid } from '../../../contract/sign-in.ts';
import { signingAlgorithm } from '../../../server/identity/key-generations.ts';
import { openKeys } from '../../../server/identity/keys.ts';
import { addAccount, addTwoClinics } from '../clinic.ts';
import { type TestDatabase, testDatabase } from '../database.ts';
import { type RunningServer, runServer, signIn } from '../running-server.ts';
import { smallObject } from '../small-object.ts';
import { vaultUnderTest } from '../vault-under-test.ts';
import { callRoute } from './call-route.ts';
import { addRecord, madeUp, type RecordIds, versionsOf } from './record.ts';
import type { RequestInput } from './scene.ts';
import { sceneOf } from './scenes.ts';

type Name = keyof typeof routes;
interface TestUser {
  readonly role: RoleName;
  readonly token: string;
}

const publicUrl = 'http://localhost';
const users = ['super', 'admin', 'doctor'] as const;
const roleOf = { super: 'SuperAdmin', admin: 'CustomerAdmin', doctor: 'Doctor' } as const;
const tokens = new Map<string, TestUser>();
let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let stored: { sha256: string; sizeBytes: number };
/** Only named by requests that are refused, which leave them as they are. */
let untouched: { own: RecordIds; other: RecordIds };

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  await addAccount(database.db, {
    email: 'other-admin@prov.example',
    role: 'CustomerAdmin',
    customerId: clinic.otherCustomerId,
  });
  running = await runServer(database.database, { publicUrl });
  stored = await running.archive.files.put(Readable.from([Buffer.from(smallObject())]));
  untouched = { own: await freshRecord(clinic.customerId), other: await freshRecord(clinic.otherCustomerId) };
});

/** Tokens are valid for five minutes, which the calls to all routes may exceed on a busy machine. */
const signInAgainInTime = async (): Promise<void> => {
  const { token } = tokens.get('super') ?? {};
  const expires = token ? (decodeJwt(token).exp ?? 0) : 0;
  if (expires * 1_000 > Date.now() + 120_000) return;
  for (const name of users)
    tokens.set(name, { role: roleOf[name], token: (await signIn(running.url, `${name}@prov.example`)).access_token });
};
beforeEach(async () => {
  await database.db.deleteFrom('sign_in_attempt').execute();
  await signInAgainInTime();
});
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const call = (route: Route, input: RequestInput, token: string | null) => callRoute(running.url, route, input, token);

/** The claims of a valid token. */
const realClaims = () => decodeJwt(tokens.get('super')?.token ?? '');

/** A token like a valid one, except for `changes`. */
const tokenWith = async (changes: { expires?: number; audience?: string; issuer?: string; foreignKey?: true }) => {
  const keys = await openKeys(database.db, vaultUnderTest());
  const own = { ...keys.current().tokens[0] } as Record<string, unknown>;
  const foreign = await generateKeyPair(signingAlgorithm, { extractable: true });
  const key = changes.foreignKey ? { ...(await exportJWK(foreign.privateKey)), kid: own.kid } : own;
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT(realClaims())
    .setProtectedHeader({ alg: signingAlgorithm, kid: String(own.kid), typ: 'at+jwt' })
    .setIssuer(changes.issuer ?? publicUrl)
    .setAudience(changes.audience ?? openid.audience)
    .setIssuedAt(now - 120)
    .setExpirationTime(changes.expires ?? now + 300)
    .sign(await importJWK(key, signingAlgorithm));
};

const unsigned = () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'at+jwt' })}.${part(realClaims())}.`;
};

it('accepts the token that the invalid ones are derived from', async () => {
  const headers = { authorization: `Bearer ${await tokenWith({})}` };
  expect((await fetch(`${running.url}/api/Account/info`, { headers })).status).toBe(200);
});

const names = Object.keys(routes) as Name[];
const rejectedForCaller = [401, 403, 404];

const freshRecord = (customerId: string): Promise<RecordIds> => addRecord(database.db, customerId, stored);

describe.each(names)('%s', (name) => {
  const route: Route = routes[name];
  const scene = sceneOf(name);

  if (route.access === 'anyone') {
    it('is open, and reveals nothing to anonymous callers', async () => {
      const record = await freshRecord(clinic.customerId);
      const before = await versionsOf(database.db, record);
      const { status, text } = await call(route, scene.requestOf(record), null);
      expect(scene.open).toContain(status);
      expect(text).not.toMatch(/Hemlig|prov\.example/);
      expect(await versionsOf(database.db, record)).toEqual(before);
    });
    return;
  }

  // Without statistics PostgreSQL joins all patients with all studies.
  beforeAll(() => sql`analyze patient, study, series, image, gallery_image`.execute(database.db));

  it('requires a valid token', async () => {
    const record = untouched.own;
    const before = await versionsOf(database.db, record);
    const now = Math.floor(Date.now() / 1000);
    const bad = [
      null,
      'x',
      unsigned(),
      // Ten seconds of clock skew are allowed.
      await tokenWith({ expires: now - 11 }),
      await tokenWith({ audience: 'urn:another:audience' }),
      await tokenWith({ issuer: 'https://elsewhere.example' }),
      await tokenWith({ foreignKey: true }),
    ];
    for (const token of bad) expect((await call(route, scene.requestOf(record), token)).status).toBe(401);
    expect(await versionsOf(database.db, record)).toEqual(before);
  });

  it.each(users)('%s', async (who) => {
    const user = tokens.get(who);
    if (!user) throw new Error(`no user is called ${who}`);
    const permissions = defaultClaims[user.role];

    if (!canCall({ permissions }, route.access)) {
      const { own, other } = untouched;
      const [ownBefore, otherBefore] = [await versionsOf(database.db, own), await versionsOf(database.db, other)];
      for (const record of [own, other])
        expect((await call(route, scene.requestOf(record), user.token)).status).toBe(403);
      expect(await versionsOf(database.db, own)).toEqual(ownBefore);
      expect(await versionsOf(database.db, other)).toEqual(otherBefore);
      return;
    }

    const everywhere = hasClaim(permissions, 'customer.get_byid');
    const own = await freshRecord(clinic.customerId);
    const other = everywhere ? await freshRecord(clinic.otherCustomerId) : untouched.other;
    const otherBefore = await versionsOf(database.db, other);
    if (!everywhere && !scene.withoutRecords) {
      const foreign = await call(route, scene.requestOf(other), user.token);
      const nowhere = await call(route, scene.requestOf(madeUp()), user.token);
      expect(foreign, 'another clinic answers as if it did not exist').toEqual(nowhere);
      expect(foreign.text).not.toMatch(/Hemlig/);
      expect(await versionsOf(database.db, other)).toEqual(otherBefore);
    }
    const allowed = scene.allowed ?? [200];
    const ownReply = await call(route, scene.requestOf(own), user.token);
    expect(allowed, `${ownReply.status} ${ownReply.text.slice(0, 200)}`).toContain(ownReply.status);
    if (!allowed.some((status) => rejectedForCaller.includes(status)))
      expect(rejectedForCaller).not.toContain(ownReply.status);
    if (everywhere && !scene.withoutRecords) {
      const otherReply = await call(route, scene.requestOf(other), user.token);
      expect(allowed, `${otherReply.status} ${otherReply.text.slice(0, 200)}`).toContain(otherReply.status);
    } else expect(await versionsOf(database.db, other)).toEqual(otherBefore);
  });
});
