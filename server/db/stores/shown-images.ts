import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** Images that are shown: neither they nor their study or patient lie in the recycle bin, and their clinic is there. */
export const shownImages = (db: Kysely<Schema>) =>
  db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .innerJoin('customer', 'customer.id', 'image.customer_id')
    .where('customer.deleted_at', 'is', null)
    .where('image.deleted_at', 'is', null)
    .where('series.deleted_at', 'is', null)
    .where('study.deleted_at', 'is', null)
    .where('patient.deleted_at', 'is', null);

/** The viewset in which an image hangs: of several the first that there was; null where it hangs nowhere. */
export const viewsetOfImage = sql<string | null>`(
  select viewset_item.viewset_id from viewset_item
  join viewset on viewset.id = viewset_item.viewset_id
  join study as hanging on hanging.id = viewset.study_id
  where viewset_item.image_id = image.id and viewset.deleted_at is null and hanging.deleted_at is null
  order by viewset.created_at limit 1)`;
