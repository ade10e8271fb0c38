import { randomUUID } from 'node:crypto';
import type { Insertable, Kysely } from 'kysely';
import { uidFrom } from '../../dicom/write/uid.ts';
import type { ImageTable, Schema } from '../../server/db/schema.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';

let count = 0;

/** A patient of the clinic with a distinct number. */
export const addPatient = async (db: Kysely<Schema>, customerId: string, firstName: string, lastName: string) => {
  count += 1;
  const id = randomUUID();
  const personalNumber = `19800101${String(count).padStart(4, '0')}`;
  const facts = { birthDate: null, sex: null, comments: null };
  await insertPatient(db, { ...facts, id, customerId, firstName, lastName, personalNumber });
  return { id, customerId, personalNumber };
};

export const addStudy = async (
  db: Kysely<Schema>,
  patient: { readonly id: string; readonly customerId: string },
  study: { readonly description?: string; readonly study_date?: string | null } = {},
): Promise<string> => {
  const id = randomUUID();
  const facts = { description: 'Kontroll', study_date: null, accession_number: null, deleted_at: null };
  const whose = { customer_id: patient.customerId, patient_id: patient.id };
  await db
    .insertInto('study')
    .values({ id, uid: uidFrom(id), ...whose, ...facts, ...study })
    .execute();
  return id;
};

export const addSeries = async (db: Kysely<Schema>, studyId: string, modality = 'IO'): Promise<string> => {
  const id = randomUUID();
  const facts = { study_id: studyId, uid: uidFrom(id), number: 1, description: 'Bitewing', deleted_at: null };
  await db
    .insertInto('series')
    .values({ id, modality, ...facts })
    .execute();
  return id;
};

/** Row of an image; `changes` override the defaults. */
export const imageRow = (
  customerId: string,
  seriesId: string,
  changes: Partial<Insertable<ImageTable>> = {},
): Insertable<ImageTable> => {
  const id = randomUUID();
  return {
    id,
    customer_id: customerId,
    series_id: seriesId,
    sop_instance_uid: uidFrom(id),
    sop_class_uid: null,
    kind: 'image',
    source: 'dicom',
    sha256: '0'.repeat(64),
    size_bytes: 1000,
    file_name: 'a.dcm',
    original_sha256: null,
    number: 1,
    rows: 6,
    columns: 8,
    frames: 1,
    transfer_syntax: '1.2.840.10008.1.2.1',
    compression: 'none',
    teeth: [],
    chosen_teeth: null,
    laterality: null,
    acquired_at: null,
    comments: null,
    sensor_type: null,
    calibration: null,
    thumb_status: 'error',
    rendition_status: 'error',
    deleted_at: null,
    ...changes,
  };
};

export const addImage = async (
  db: Kysely<Schema>,
  customerId: string,
  seriesId: string,
  changes: Partial<Insertable<ImageTable>> = {},
): Promise<string> => {
  const row = imageRow(customerId, seriesId, changes);
  await db.insertInto('image').values(row).execute();
  return row.id;
};
