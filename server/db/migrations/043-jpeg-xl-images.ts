import { type Kysely, sql } from 'kysely';

/** Makes images of JPEG XL files that were kept as documents because they could not be decoded; thumbnails and renditions are made later. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const update = sql`
    update image set kind = 'image', thumb_status = 'pending', rendition_status = 'pending'
    where kind = 'document' and rows > 0 and columns > 0 and frames > 0
      and transfer_syntax in ('1.2.840.10008.1.2.4.110', '1.2.840.10008.1.2.4.111', '1.2.840.10008.1.2.4.112')`;
  await update.execute(db);
};
