import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { type DeriveOutcome, retryColumns } from './derive-retries.ts';
import { hasIntactFile, waitingHasIntactFile } from './intact-file.ts';

/** Images that other nodes may have claimed. */
const candidates = 8;

/**
 * Claims the next image for renditions: none while a thumbnail is pending, then the newest without its reduced rendition, then the newest
 * without its full one. Held by an advisory lock instead of a row lock, because the work takes long and users may edit the image.
 */
export const takeImageToPrepare = async (
  transaction: Transaction<Schema>,
): Promise<{ readonly id: string; readonly sha256: string; readonly before: 'pending' | 'reduced' } | undefined> => {
  for (const before of ['pending', 'reduced'] as const) {
    const rows = await transaction
      .selectFrom('image')
      .select(['id', 'sha256'])
      .where('rendition_status', '=', before)
      .where('kind', '=', 'image')
      .where('thumb_status', '=', 'ready')
      .where('deleted_at', 'is', null)
      .where(hasIntactFile)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('image as waiting')
              .select('waiting.id')
              .where('waiting.thumb_status', '=', 'pending')
              .where('waiting.deleted_at', 'is', null)
              .where(waitingHasIntactFile),
          ),
        ),
      )
      .orderBy('created_at', 'desc')
      .limit(candidates)
      .execute();
    for (const { id, sha256 } of rows) {
      const lock = sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${`rendition ${id}`}, 0))`;
      const { rows: taken } = await sql<{ taken: boolean }>`select ${lock} as taken`.execute(transaction);
      if (!taken[0]?.taken) continue;
      // Another node may have finished it between the two queries.
      const { rendition_status: now } = await transaction
        .selectFrom('image')
        .select('rendition_status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (now === before) return { id, sha256, before };
    }
  }
  return undefined;
};

/** `made`: the reduced rendition after `pending`, the full one after `reduced`. */
export const setRenditionStatus = async (
  db: Kysely<Schema>,
  image: { readonly id: string; readonly before: 'pending' | 'reduced' },
  outcome: DeriveOutcome,
): Promise<void> => {
  const made = image.before === 'pending' ? 'reduced' : 'ready';
  await db
    .updateTable('image')
    .set({ rendition_status: outcome === 'made' ? made : 'error', ...retryColumns(outcome) })
    .where('id', '=', image.id)
    .execute();
};
