import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** Other nodes may hold as many. */
const candidates = 8;

/**
 * The image whose rendition is to be made next: none while a thumbnail waits, then the newest without its reduced picture, then the newest without
 * its full one. It is this transaction's alone, but its row is not locked: the work takes long, and a person may want to change the image meanwhile.
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
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('image as waiting')
              .select('waiting.id')
              .where('waiting.thumb_status', '=', 'pending')
              .where('waiting.deleted_at', 'is', null),
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
      // Another node may have finished it between the two questions.
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

export const setRenditionStatus = async (
  db: Kysely<Schema>,
  imageId: string,
  status: 'reduced' | 'ready' | 'error',
): Promise<void> => {
  await db.updateTable('image').set({ rendition_status: status }).where('id', '=', imageId).execute();
};
