import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wholeRecord } from '../../server/db/stores/whole-record.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test?.close());

const addDevice = async (customerId: string, createdBy: string): Promise<string> => {
  const id = randomUUID();
  await test.db
    .insertInto('dicom_device')
    .values({
      id,
      customer_id: customerId,
      name: 'Arkiv',
      ae_title: 'ARKIV',
      address: '127.0.0.1',
      port: 104,
      can_retrieve: false,
      can_store: true,
      at_once: false,
      created_by: createdBy,
    })
    .execute();
  return id;
};

const addSending = async ({ customerId, patientId, imageId, accountId }: RecordIds, deviceId: string) => {
  const id = randomUUID();
  const ids = { customer_id: customerId, patient_id: patientId, device_id: deviceId, created_by: accountId };
  await test.db
    .insertInto('dicom_sending')
    .values({ id, ...ids })
    .execute();
  await test.db.insertInto('dicom_sending_image').values({ sending_id: id, image_id: imageId, position: 0 }).execute();
  return id;
};

/** Tables that refer to a patient and are not in `record.json`, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  access_log: 'access-log.csv has its entries',
  derive_claim: 'of work on an image in progress',
  dicom_fetch: 'of a transfer, for a week; its images are in image, and access-log.csv has it',
  dicom_fetch_image: 'of a transfer; its image is in image',
  dicom_fetch_study: 'of a transfer; its images are in image',
  gallery_image: 'derived from image, series, study and patient',
  import_file: 'of an import; its image is in image',
  import_part: 'of an upload in progress',
  import_study: 'of an import; its images are in image',
  import_task: 'of an import; its images are in image',
  patient_opening: 'of the user who opened; access-log.csv has each opening',
  patient_word: 'derived from patient, for searching',
  shared_link_opening: 'bearers of recipients',
  study_word: 'derived from study, for searching',
};

/** Tables that reach the patient by foreign keys, or have a column named as those that do. */
const tablesOfPatients = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    with recursive reached (relation) as (
      select 'patient'::regclass::oid
      union select conrelid from pg_constraint join reached on confrelid = relation where contype = 'f')
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and (oid in (select relation from reached) or exists (
        select from pg_attribute where attrelid = pg_class.oid and not attisdropped
          and attname ~ '^(patient|study|series|image|viewset|subject)_(id|uid)$'))
    order by relname`.execute(test.db);
  return rows.map(({ name }) => name);
};

it('every table that refers to a patient is in the whole record, or left out with a reason', async () => {
  const tables = Object.keys(await wholeRecord(test.db, randomUUID()));
  expect([...tables, ...Object.keys(leftOut)].sort()).toEqual(await tablesOfPatients());
});

it('has the links to images with the question, without what opens them, and the sendings to devices', async () => {
  const { customerId } = await addTwoClinics(test.db);
  const stored = { sha256: 'a'.repeat(64), sizeBytes: 10 };
  const [one, other] = [await addRecord(test.db, customerId, stored), await addRecord(test.db, customerId, stored)];
  const opens = { secret_hash: 'hash of the secret', code_hash: 'hash of the code' };
  await test.db
    .updateTable('shared_link')
    .set({ question: 'Rotfraktur 21?', ...opens })
    .where('id', '=', one.sharedLinkId)
    .execute();
  const deviceId = await addDevice(customerId, one.accountId);
  const sendingId = await addSending(one, deviceId);
  await addSending(other, deviceId);
  const record = await wholeRecord(test.db, one.patientId);
  expect(record.shared_link).toMatchObject([{ id: one.sharedLinkId, question: 'Rotfraktur 21?' }]);
  expect(record.shared_link_image).toMatchObject([{ link_id: one.sharedLinkId, image_id: one.imageId }]);
  expect(record.dicom_sending).toMatchObject([{ id: sendingId, device_id: deviceId }]);
  expect(record.dicom_sending_image).toMatchObject([{ sending_id: sendingId, image_id: one.imageId }]);
  expect(record.imaging_order).toMatchObject([{ id: one.orderId }]);
  expect(record.destruction_order).toMatchObject([{ id: one.destructionId }]);
  expect(record.viewset_detached).toMatchObject([{ viewset_id: one.viewsetId, image_id: one.trayImageId }]);
  for (const hash of Object.values(opens)) expect(JSON.stringify(record)).not.toContain(hash);
});
