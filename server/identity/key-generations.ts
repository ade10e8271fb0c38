import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../db/schema.ts';
import { changeSecret, ensureSecret, randomKey } from '../db/stores/secret-store.ts';
import type { Vault } from '../db/vault.ts';

export const signingAlgorithm = 'ES256';

const storedKey = z.object({
  kty: z.literal('EC'),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
});

const generation = z.object({
  jwk: storedKey,
  cookie: z.string(),
  /** Milliseconds since 1970. */
  signsFrom: z.number(),
});

/** A key pair for tokens and a key for cookies, which rotate together. */
export type KeyGeneration = z.infer<typeof generation>;

const generations = z.array(generation).min(1);
const secretName = 'signing-keys';

/** A new key is published one hour before it signs, so that all nodes and clients with cached keys know it. */
export const publishedAheadMs = 3_600_000;
/** Longer than the lifetime of any token plus clock tolerance. */
const retainedMs = 3_600_000;

const makeSigningKey = async (): Promise<string> => {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return JSON.stringify({ ...jwk, kid: await calculateJwkThumbprint(jwk) });
};

const make = async (signsFrom: number): Promise<KeyGeneration> => ({
  jwk: storedKey.parse(JSON.parse(await makeSigningKey())),
  cookie: randomKey(),
  signsFrom,
});

/** Returns the generations in signing order; creates the first one on the first call. */
export const readGenerations = async (db: Kysely<Schema>, vault: Vault): Promise<readonly KeyGeneration[]> => {
  const text = await ensureSecret(db, vault, secretName, async () => {
    // Installations from before key rotation continue with their existing key.
    const jwk = storedKey.parse(JSON.parse(await ensureSecret(db, vault, 'token-signing-key', makeSigningKey)));
    const cookie = await ensureSecret(db, vault, 'cookie-key', randomKey);
    return JSON.stringify([{ jwk, cookie, signsFrom: Date.now() }]);
  });
  return generations.parse(JSON.parse(text));
};

/** Serializes changes over all nodes. */
const change = async (
  transaction: Transaction<Schema>,
  vault: Vault,
  next: (known: readonly KeyGeneration[]) => Promise<readonly KeyGeneration[]>,
): Promise<void> => {
  await readGenerations(transaction, vault);
  await changeSecret(transaction, vault, secretName, async (text) =>
    JSON.stringify(await next(generations.parse(JSON.parse(text)))),
  );
};

/** Returns the generations still needed: a generation is dropped when its successor has signed for `keptAfterMs`. */
const withoutExpired = (known: readonly KeyGeneration[], now: number): readonly KeyGeneration[] =>
  known.filter((_, index) => (known[index + 1]?.signsFrom ?? Number.POSITIVE_INFINITY) + retainedMs > now);

/** Creates the next key before the last one has signed for `signDays`, and deletes expired ones. Any node may call it at any time. */
export const rotateByAge = (db: Kysely<Schema>, vault: Vault, signDays: number): Promise<void> =>
  db.transaction().execute((transaction) =>
    change(transaction, vault, async (known) => {
      const now = Date.now();
      const due = Math.max(...known.map(({ signsFrom }) => signsFrom)) + signDays * 86_400_000;
      const remaining = withoutExpired(known, now);
      if (due - publishedAheadMs > now) return remaining;
      return [...remaining, await make(Math.max(due, now + publishedAheadMs))];
    }),
  );

/**
 * For operators after a key may have leaked: a new key signs at once, on each node after its next refresh. With `distrust` the older keys are
 * deleted: their access tokens are rejected, and browsers renew them with their refresh tokens, which are not signed. Returns the id of the new key.
 */
export const rotateNow = async (
  transaction: Transaction<Schema>,
  vault: Vault,
  { distrust = false } = {},
): Promise<string> => {
  const now = Date.now();
  const next = await make(now);
  await change(transaction, vault, async (known) => {
    const past = known.filter(({ signsFrom }) => signsFrom <= now);
    return [...(distrust ? [] : withoutExpired(past, now)), next];
  });
  return next.jwk.kid;
};
