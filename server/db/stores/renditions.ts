import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { claimImage, endClaim, isUnclaimed } from './derive-claims.ts';
import { type DeriveOutcome, retryColumns } from './derive-retries.ts';
import { hasIntactFile, waitingHasIntactFile } from './intact-file.ts';

interface ImageToPrepare {
  readonly id: string;
  readonly sha256: string;
  readonly before: 'pending' | 'reduced';
}

const nextToPrepare = (db: Kysely<Schema>, before: ImageToPrepare['before']) =>
  db
    .selectFrom('image')
    .select(['id', 'sha256'])
    .where('rendition_status', '=', before)
    .where('kind', '=', 'image')
    .where('thumb_status', '=', 'ready')
    .where('deleted_at', 'is', null)
    .where(hasIntactFile)
    .where(isUnclaimed)
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
    .limit(1)
    .executeTakeFirst();

const isStill = async (db: Kysely<Schema>, { id, before }: ImageToPrepare): Promise<boolean> =>
  (await db.selectFrom('image').select('rendition_status').where('id', '=', id).executeTakeFirst())
    ?.rendition_status === before;

/**
 * Claims the next image for renditions: none while a thumbnail is pending, then the newest without its reduced rendition, then the newest
 * without its full one.
 */
export const takeImageToPrepare = async (db: Kysely<Schema>, owner: string): Promise<ImageToPrepare | undefined> => {
  for (;;) {
    const reduced = await nextToPrepare(db, 'pending');
    const row = reduced ?? (await nextToPrepare(db, 'reduced'));
    if (!row) return undefined;
    const image = { ...row, before: reduced ? ('pending' as const) : ('reduced' as const) };
    const claim = { imageId: image.id, owner };
    if (!(await claimImage(db, claim))) continue;
    // Another node may have finished it between the two queries.
    if (await isStill(db, image)) return image;
    await endClaim(db, claim);
  }
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
