import { sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

const patientOfImage = (
  image: string,
) => sql`(select study.patient_id from image join series on series.id = image.series_id
  join study on study.id = series.study_id where image.id = ${sql.ref(image)})`;
const patientOfViewset = (viewset: string) => sql`(select study.patient_id from viewset
  join study on study.id = viewset.study_id where viewset.id = ${sql.ref(viewset)})`;
const isOthers = (table: string) =>
  sql<boolean>`${patientOfImage(`${table}.image_id`)} <> ${patientOfViewset(`${table}.viewset_id`)}`;

/**
 * Removes images of other patients from the slots and trays of these viewsets. The display settings of such an image are copied to the image
 * itself. The viewsets must be locked. Returns those that changed.
 */
export const unmountOthersImages = async (
  transaction: Transaction<Schema>,
  viewsetIds: readonly string[],
  accountId: string,
): Promise<ReadonlySet<string>> => {
  const ofThese = sql<string>`any(${[...viewsetIds]}::uuid[])`;
  await sql`
    insert into image_display (image_id, viewset_id, display, version, account_id)
    select distinct on (image_id) image_id, null::uuid, display, 1, ${accountId}::uuid from image_display
    where viewset_id = ${ofThese} and display is not null and ${isOthers('image_display')}
    order by image_id, saved_at desc
    on conflict do nothing`.execute(transaction);
  await transaction
    .deleteFrom('image_display')
    .where('viewset_id', '=', ofThese)
    .where(isOthers('image_display'))
    .execute();
  const slots = await transaction
    .updateTable('viewset_item')
    .set({ image_id: null })
    .where('viewset_id', '=', ofThese)
    .where(isOthers('viewset_item'))
    .returning('viewset_id')
    .execute();
  const trays = await transaction
    .deleteFrom('viewset_detached')
    .where('viewset_id', '=', ofThese)
    .where(isOthers('viewset_detached'))
    .returning('viewset_id')
    .execute();
  return new Set([...slots, ...trays].map((row) => row.viewset_id));
};
