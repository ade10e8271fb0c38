import { Readable } from 'node:stream';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultClaims, mayDo, type RoleName } from '../../../contract/claims.ts';
import { mayCall } from '../../../contract/may-call.ts';
import { pathOf, type Route } from '../../../contract/route.ts';
import { routes } from '../../../contract/routes.ts';
import { openid } from '../../../contract/sign-in.ts';
import { signingAlgorithm } from '../../../server/identity/key-generations.ts';
import { openKeys } from '../../../server/identity/keys.ts';
import { addAccount, addTwoClinics } from '../clinic.ts';
import { type TestDatabase, testDatabase } from '../database.ts';
import { type RunningServer, runServer, signIn } from '../running-server.ts';
import { smallObject } from '../small-object.ts';
import { addRecord, everythingOf, madeUp, type RecordIds } from './record.ts';
import { type Asked, sceneOf } from './scenes.ts';

type Name = keyof typeof routes;
interface Person {
  readonly role: RoleName;
  readonly token: string;
}

const publicUrl = 'http://localhost';
const people = ['super', 'admin', 'doctor'] as const;
const roleOf = { super: 'SuperAdmin', admin: 'CustomerAdmin', doctor: 'Doctor' } as const;
const tokens = new Map<string, Person>();
let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let stored: { sha256: string; sizeBytes: number };

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
  for (const name of people)
    tokens.set(name, { role: roleOf[name], token: (await signIn(running.url, `${name}@prov.example`)).access_token });
});
beforeEach(() => database.db.deleteFrom('sign_in_attempt').execute());
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const bodyOf = ({ body, form, bytes }: Asked): RequestInit => {
  if (form) return { body: form };
  if (bytes) return { body: bytes, headers: { 'content-type': 'application/octet-stream' } };
  return body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
};

const call = async (route: Route, asked: Asked, token: string | null): Promise<{ status: number; text: string }> => {
  const query = asked.query ? `?${new URLSearchParams(asked.query)}` : '';
  const { headers, ...rest } = bodyOf(asked);
  const reply = await fetch(`${running.url}${pathOf(route.path, asked.params)}${query}`, {
    method: route.method,
    ...rest,
    headers: { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  });
  return { status: reply.status, text: await reply.text() };
};

/** What a token says that the archive did make. */
const realClaims = () => decodeJwt(tokens.get('super')?.token ?? '');

/** A token that the archive might have made: right in everything but what `changes` says. */
const tokenWith = async (changes: { expires?: number; audience?: string; issuer?: string; foreignKey?: true }) => {
  const keys = await openKeys(database.db);
  const own = { ...keys.current().tokens[0] } as Record<string, unknown>;
  const foreign = await generateKeyPair(signingAlgorithm, { extractable: true });
  const key = changes.foreignKey ? { ...(await exportJWK(foreign.privateKey)), kid: own.kid } : own;
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT(realClaims())
    .setProtectedHeader({ alg: signingAlgorithm, kid: String(own.kid), typ: 'at+jwt' })
    .setIssuer(changes.issuer ?? publicUrl)
    .setAudience(changes.audience ?? openid.audience)
    .setIssuedAt(now - 600)
    .setExpirationTime(changes.expires ?? now + 300)
    .sign(await importJWK(key, signingAlgorithm));
};

const unsigned = () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'at+jwt' })}.${part(realClaims())}.`;
};

it('lets the token in that the refused ones are made from', async () => {
  const headers = { authorization: `Bearer ${await tokenWith({})}` };
  expect((await fetch(`${running.url}/api/Account/info`, { headers })).status).toBe(200);
});

const names = Object.keys(routes) as Name[];
const refusedForWho = [401, 403, 404];

const freshRecord = (customerId: string): Promise<RecordIds> => addRecord(database.db, customerId, stored);

describe.each(names)('%s', (name) => {
  const route: Route = routes[name];
  const scene = sceneOf(name);

  if (route.access === 'anyone') {
    it('is open, and tells a stranger nothing', async () => {
      const record = await freshRecord(clinic.customerId);
      const before = await everythingOf(database.db, record);
      const { status, text } = await call(route, scene.ask(record), null);
      expect(scene.open).toContain(status);
      expect(text).not.toMatch(/Hemlig|prov\.example/);
      expect(await everythingOf(database.db, record)).toBe(before);
    });
    return;
  }

  it('needs a token that is good here and now', async () => {
    const record = await freshRecord(clinic.customerId);
    const before = await everythingOf(database.db, record);
    const now = Math.floor(Date.now() / 1000);
    const bad = [
      null,
      'x',
      unsigned(),
      // Ten seconds of clock skew are allowed.
      await tokenWith({ expires: now - 11 }),
      await tokenWith({ audience: 'urn:somebody:else' }),
      await tokenWith({ issuer: 'https://elsewhere.example' }),
      await tokenWith({ foreignKey: true }),
    ];
    for (const token of bad) expect((await call(route, scene.ask(record), token)).status).toBe(401);
    expect(await everythingOf(database.db, record)).toBe(before);
  });

  it.each(people)('%s', async (who) => {
    const person = tokens.get(who);
    if (!person) throw new Error(`nobody is called ${who}`);
    const permissions = defaultClaims[person.role];
    const own = await freshRecord(clinic.customerId);
    const other = await freshRecord(clinic.otherCustomerId);
    const [ownBefore, otherBefore] = [await everythingOf(database.db, own), await everythingOf(database.db, other)];

    if (!mayCall({ permissions }, route.access)) {
      for (const record of [own, other]) expect((await call(route, scene.ask(record), person.token)).status).toBe(403);
      expect(await everythingOf(database.db, own)).toBe(ownBefore);
      expect(await everythingOf(database.db, other)).toBe(otherBefore);
      return;
    }

    const everywhere = mayDo(permissions, 'customer.get_byid');
    if (!everywhere && !scene.ofNobody) {
      const foreign = await call(route, scene.ask(other), person.token);
      const nowhere = await call(route, scene.ask(madeUp()), person.token);
      expect(foreign, 'another clinic answers as if it did not exist').toEqual(nowhere);
      expect(foreign.text).not.toMatch(/Hemlig/);
      expect(await everythingOf(database.db, other)).toBe(otherBefore);
    }
    const allowed = scene.allowed ?? [200];
    const mine = await call(route, scene.ask(own), person.token);
    expect(allowed, `${mine.status} ${mine.text.slice(0, 200)}`).toContain(mine.status);
    if (!allowed.some((status) => refusedForWho.includes(status))) expect(refusedForWho).not.toContain(mine.status);
    if (everywhere && !scene.ofNobody) {
      const theirs = await call(route, scene.ask(other), person.token);
      expect(allowed, `${theirs.status} ${theirs.text.slice(0, 200)}`).toContain(theirs.status);
    } else expect(await everythingOf(database.db, other)).toBe(otherBefore);
  });
});
