import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** What the archive derives from other values, for searching and for work in progress. */
const derived = [
  'search_text',
  'search_digits',
  'last_words',
  'name_key',
  'thumb_status',
  'rendition_status',
  'derive_attempts',
  'derive_retry_at',
  'derive_final',
  'dose_status',
  'try_at',
  'lease_owner',
  'lease_until',
];

/** With these a shared link could be opened. */
const secret = ['secret_hash', 'code_hash'];

/** The rows of a patient by table: which, and in which order. */
const partsOf = (patientId: string) => {
  const studies = sql`(select id from study where patient_id = ${patientId})`;
  const series = sql`(select id from series where study_id in ${studies})`;
  const images = sql`(select id from image where series_id in ${series})`;
  const viewsets = sql`(select id from viewset where study_id in ${studies})`;
  const links = sql`(select id from shared_link where patient_id = ${patientId})`;
  const sendings = sql`(select id from dicom_sending where patient_id = ${patientId})`;
  return {
    patient: [sql`id = ${patientId}`, sql`id`],
    patient_change: [sql`subject_id = ${patientId}`, sql`id`],
    imaging_order: [sql`patient_id = ${patientId}`, sql`created_at, id`],
    study: [sql`patient_id = ${patientId}`, sql`study_date, id`],
    series: [sql`study_id in ${studies}`, sql`study_id, number, id`],
    image: [sql`series_id in ${series}`, sql`series_id, number, id`],
    image_display: [sql`image_id in ${images}`, sql`image_id, viewset_id`],
    image_note: [sql`subject_id in ${images}`, sql`subject_id, version`],
    image_grade: [sql`image_id in ${images}`, sql`image_id, version`],
    image_change: [sql`subject_id in ${images}`, sql`id`],
    study_change: [sql`subject_id in ${studies}`, sql`id`],
    viewset: [sql`study_id in ${studies}`, sql`study_id, id`],
    viewset_item: [sql`viewset_id in ${viewsets}`, sql`viewset_id, item_index`],
    viewset_detached: [sql`viewset_id in ${viewsets}`, sql`viewset_id, position`],
    viewset_note: [sql`subject_id in ${viewsets}`, sql`subject_id, version`],
    shared_link: [sql`patient_id = ${patientId}`, sql`made_at, id`],
    shared_link_image: [sql`link_id in ${links}`, sql`link_id, position`],
    dicom_sending: [sql`patient_id = ${patientId}`, sql`created_at, id`],
    dicom_sending_image: [sql`sending_id in ${sendings}`, sql`sending_id, position`],
    destruction_order: [sql`patient_id = ${patientId}`, sql`proposed_at, id`],
  } as const satisfies Partial<Record<keyof Schema, readonly [RawBuilder<unknown>, RawBuilder<unknown>]>>;
};

type Rows = readonly Readonly<Record<string, unknown>>[];
export type WholeRecord = Readonly<Record<string, Rows>>;

/** Returns all that is stored about a patient, deleted or not, by table: its rows with the names of their columns. */
export const wholeRecord = async (db: Kysely<Schema>, patientId: string): Promise<WholeRecord> => {
  const record: Record<string, Rows> = {};
  for (const [table, [condition, order]] of Object.entries(partsOf(patientId))) {
    const { rows } = await sql<{ value: Record<string, unknown> }>`
      select to_jsonb(found) - ${[...derived, ...secret]}::text[] as value
      from ${sql.id(table)} as found where ${condition} order by ${order}`.execute(db);
    record[table] = rows.map(({ value }) => value);
  }
  return record;
};
