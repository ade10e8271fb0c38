import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** Retries of one image: after half a minute, then with doubled delays, about two days in all. */
const maxAttempts = 13;
const firstDelaySeconds = 30;

/** Outcome of deriving a thumbnail or rendition: made, failed for good (`permanent`), or to be retried (`temporary`). */
export type DeriveOutcome = 'made' | 'permanent' | 'temporary';

/** Returns the columns that schedule the retry of a failed derivation. */
export const retryColumns = (outcome: DeriveOutcome) => {
  if (outcome === 'made') return { derive_attempts: 0, derive_retry_at: null, derive_final: false };
  if (outcome === 'permanent') return { derive_attempts: 0, derive_retry_at: null, derive_final: true };
  return {
    derive_attempts: sql<number>`least(derive_attempts + 1, ${maxAttempts})`,
    derive_retry_at: sql<Date>`case when derive_attempts < ${maxAttempts}
      then now() + make_interval(secs => ${firstDelaySeconds} * power(2, derive_attempts)) end`,
    derive_final: false,
  };
};

type Condition = ReturnType<typeof sql<boolean>>;

/** Queues failed derivations again. Returns the number of images. */
const requeue = async (
  db: Kysely<Schema> | Transaction<Schema>,
  condition: Condition,
  again: boolean,
): Promise<number> => {
  const { rows } = await sql<{ id: string }>`
    update image set
      thumb_status = case thumb_status when 'error' then 'pending' else thumb_status end,
      rendition_status = case rendition_status when 'error' then 'pending' else rendition_status end,
      derive_retry_at = null,
      derive_attempts = ${again ? sql`derive_attempts` : sql`0`}
    where (thumb_status = 'error' or rendition_status = 'error') and ${condition}
    returning id`.execute(db);
  return rows.length;
};

/** Queues those that are due. */
export const requeueDue = (db: Kysely<Schema>): Promise<number> =>
  requeue(db, sql<boolean>`derive_retry_at <= now()`, true);

/** Queues all without a permanent failure: at a start, when the cause may have been repaired. */
export const requeueAll = (db: Kysely<Schema>): Promise<number> => requeue(db, sql<boolean>`not derive_final`, false);

/** Queues those of newly stored files. */
export const requeueStored = (db: Kysely<Schema>, hashes: readonly string[]): Promise<number> =>
  requeue(db, sql<boolean>`sha256 = any(${[...hashes]}::text[])`, false);
