import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { secondsFromNow } from '../seconds-from-now.ts';

/** After this time without renewal, another node takes over. */
export const claimSeconds = 20;

export interface DeriveClaim {
  readonly imageId: string;
  /** The runner that has it. */
  readonly owner: string;
}

/** Jobs skip images that a node works on. */
export const isUnclaimed = sql<boolean>`not exists (
  select from derive_claim where image_id = image.id and claimed_until > now())`;

/** Claims an image. Returns false when another runner has it, or it is gone. */
export const claimImage = async (db: Kysely<Schema>, { imageId, owner }: DeriveClaim): Promise<boolean> => {
  const { rows } = await sql`
    insert into derive_claim (image_id, owner, claimed_until)
    select id, ${owner}::uuid, ${secondsFromNow(claimSeconds)} from image where id = ${imageId} for key share
    on conflict (image_id) do update set owner = excluded.owner, claimed_until = excluded.claimed_until
    where derive_claim.claimed_until <= now()
    returning image_id`.execute(db);
  return rows.length > 0;
};

export const renewClaim = async (db: Kysely<Schema>, { imageId, owner }: DeriveClaim): Promise<void> => {
  await db
    .updateTable('derive_claim')
    .set({ claimed_until: secondsFromNow(claimSeconds) })
    .where('image_id', '=', imageId)
    .where('owner', '=', owner)
    .execute();
};

/** Ends a claim. Returns false when another runner has it now, or the image is gone. */
export const endClaim = async (db: Kysely<Schema>, { imageId, owner }: DeriveClaim): Promise<boolean> => {
  const rows = await db
    .deleteFrom('derive_claim')
    .where('image_id', '=', imageId)
    .where('owner', '=', owner)
    .returning('image_id')
    .execute();
  return rows.length > 0;
};
