import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../db/schema.ts';
import { ensureSecret } from '../db/stores/secret-store.ts';

export const signingAlgorithm = 'ES256';

export interface Keys {
  readonly signing: JWK;
  /** The half that may be shown. */
  readonly verifying: JWK;
  readonly cookies: readonly string[];
}

const storedKey = z.object({
  kty: z.literal('EC'),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
});

const makeSigningKey = async (): Promise<string> => {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return JSON.stringify({ ...jwk, kid: await calculateJwkThumbprint(jwk) });
};

/** The keys of this installation: made once, kept in the database, so that sessions outlive a restart and all nodes agree. */
export const openKeys = async (db: Kysely<Schema>): Promise<Keys> => {
  const key = storedKey.parse(JSON.parse(await ensureSecret(db, 'token-signing-key', makeSigningKey)));
  const cookie = await ensureSecret(db, 'cookie-key', () => randomBytes(32).toString('base64url'));
  const { d: _private, ...shown } = key;
  const use = { alg: signingAlgorithm, use: 'sig' };
  return { signing: { ...key, ...use }, verifying: { ...shown, ...use }, cookies: [cookie] };
};
