import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exportJWK } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { startOpenId } from './openid-process.ts';
import { runServer } from './running-server.ts';
import { give, maja, signInExternally, tokensOf } from './upstream-flow.ts';

let database: TestDatabase;
let folder: string;
let doctorId: string;

beforeAll(async () => {
  database = await testDatabase();
  ({ doctorId } = await addTwoClinics(database.db));
  await give(database.db, doctorId, { personal_number: maja.personalNumber });
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-siths-key-'));
});
afterAll(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

const pairs = {
  'RSA, 2048 bits': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'EC, P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'EC, P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
};

/** An archive that authenticates to SITHS by this key, where the provider knows that one. */
const signInWith = async (own: KeyObject, known: KeyObject) => {
  const file = path.join(folder, 'key.pem');
  await writeFile(file, own.export({ type: 'pkcs8', format: 'pem' }));
  const elsewhere = await startOpenId({ sithsKey: { ...(await exportJWK(known)), kid: 'the-key' } });
  const { DENTARIUM_SITHS_CLIENT_SECRET: _, ...environment } = elsewhere.environment;
  const key = { DENTARIUM_SITHS_PRIVATE_KEY_FILE: file, DENTARIUM_SITHS_PRIVATE_KEY_ID: 'the-key' };
  const running = await runServer(database.database, { identity: readIdentitySettings({ ...environment, ...key }) });
  try {
    const ended = await signInExternally(running.url, 'siths', { user: maja.id, strong: true });
    const problem = ended.end.get('problem');
    return problem ?? (await tokensOf(running.url, ended)).sub;
  } finally {
    await running.close();
    await elsewhere.close();
  }
};

it.each(Object.entries(pairs))('proves the archive to SITHS by a key of its own (%s)', async (_, make) => {
  const { privateKey, publicKey } = make();
  expect(await signInWith(privateKey, publicKey)).toBe(doctorId);
});

it('rejects sign-in with a key that SITHS does not know', async () => {
  const make = pairs['EC, P-256'];
  expect(await signInWith(make().privateKey, make().publicKey)).toBe('method-away');
});
