import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../db/schema.ts';
import { ensureSecret, randomKey } from '../db/stores/secret-store.ts';

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

/** A key for tokens and one for cookies, which come and go together. */
export type KeyGeneration = z.infer<typeof generation>;

const generations = z.array(generation).min(1);
const secretName = 'signing-keys';

/** A new key is published for an hour before it signs: every node and every client that keeps our keys has seen it by then. */
export const publishedAheadMs = 3_600_000;
/** Longer than any token lives, with what clocks may differ. */
const keptAfterMs = 3_600_000;

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

/** In the order in which they sign; the keys of this installation are made at the first call. */
export const readGenerations = async (db: Kysely<Schema>): Promise<readonly KeyGeneration[]> => {
  const text = await ensureSecret(db, secretName, async () => {
    // An installation of before keys rotated goes on with the key that it has.
    const jwk = storedKey.parse(JSON.parse(await ensureSecret(db, 'token-signing-key', makeSigningKey)));
    const cookie = await ensureSecret(db, 'cookie-key', randomKey);
    return JSON.stringify([{ jwk, cookie, signsFrom: Date.now() }]);
  });
  return generations.parse(JSON.parse(text));
};

/** One after the other over all nodes. */
const change = async (
  db: Kysely<Schema>,
  next: (known: readonly KeyGeneration[]) => Promise<readonly KeyGeneration[]>,
): Promise<void> => {
  await readGenerations(db);
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('secret')
      .select('value')
      .where('name', '=', secretName)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const known = generations.parse(JSON.parse(row.value));
    const value = JSON.stringify(await next(known));
    if (value === row.value) return;
    await transaction.updateTable('secret').set({ value }).where('name', '=', secretName).execute();
  });
};

/** A generation stays until nothing that it signed can still be good: its successor has signed for `keptAfterMs`. */
const withoutExpired = (known: readonly KeyGeneration[], now: number): readonly KeyGeneration[] =>
  known.filter((_, index) => (known[index + 1]?.signsFrom ?? Number.POSITIVE_INFINITY) + keptAfterMs > now);

/** Makes the next key in good time before the last one has signed for `signDays`, and drops those that nobody needs. Any node may call it at any time. */
export const rotateByAge = (db: Kysely<Schema>, signDays: number): Promise<void> =>
  change(db, async (known) => {
    const now = Date.now();
    const due = Math.max(...known.map(({ signsFrom }) => signsFrom)) + signDays * 86_400_000;
    const kept = withoutExpired(known, now);
    return due - publishedAheadMs > now ? kept : [...kept, await make(Math.max(due, now + publishedAheadMs))];
  });

/**
 * For operators, when a key may have become known: a new one signs from now on, on each node as soon as it looks. With `distrust` the older ones
 * are forgotten: access tokens that they signed are refused, and browsers renew them by their refresh tokens, which no key signs.
 */
export const rotateNow = (db: Kysely<Schema>, { distrust = false } = {}): Promise<void> =>
  change(db, async (known) => {
    const now = Date.now();
    const past = known.filter(({ signsFrom }) => signsFrom <= now);
    return [...(distrust ? [] : withoutExpired(past, now)), await make(now)];
  });
