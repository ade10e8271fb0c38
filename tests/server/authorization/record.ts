import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { uidFrom } from '../../../dicom/write/uid.ts';
import type { Schema } from '../../../server/db/schema.ts';
import { insertPatient } from '../../../server/db/stores/patients.ts';
import { addAccount } from '../clinic.ts';

/** All ids of one clinic that a request can name. Each may be made up. */
export interface RecordIds {
  readonly customerId: string;
  readonly accountId: string;
  /** A role of the installation without users. */
  readonly roleId: string;
  /** The role of users who see the clinic's images. */
  readonly doctorRoleId: string;
  readonly securityStamp: string;
  readonly patientId: string;
  /** The patient's unique last name, for searches. */
  readonly patientName: string;
  readonly otherPatientId: string;
  readonly studyId: string;
  readonly studyUid: string;
  readonly seriesId: string;
  readonly seriesUid: string;
  readonly imageId: string;
  readonly trayImageId: string;
  readonly viewsetId: string;
  readonly templateId: string;
  /** Still uploading. */
  readonly newTaskId: string;
  /** Waits for the user's decisions. */
  readonly foundTaskId: string;
  readonly fileId: string;
}

const suffix = () =>
  randomUUID().replace(/[\d-]/g, (character) => 'ghijklmnopq'.charAt('0123456789-'.indexOf(character)));

/** Ids that do not exist. */
export const madeUp = (customerId: string = randomUUID()): RecordIds => ({
  customerId,
  accountId: randomUUID(),
  roleId: randomUUID(),
  doctorRoleId: randomUUID(),
  securityStamp: randomUUID(),
  patientId: randomUUID(),
  patientName: `Hemlig${suffix().slice(0, 16)}`,
  otherPatientId: randomUUID(),
  studyId: randomUUID(),
  studyUid: uidFrom(randomUUID()),
  seriesId: randomUUID(),
  seriesUid: uidFrom(randomUUID()),
  imageId: randomUUID(),
  trayImageId: randomUUID(),
  viewsetId: randomUUID(),
  templateId: randomUUID(),
  newTaskId: randomUUID(),
  foundTaskId: randomUUID(),
  fileId: randomUUID(),
});

const slot = (index: number) => ({
  item_index: index,
  capture_order: index,
  x_pos: index * 100,
  y_pos: 0,
  width: 100,
  height: 100,
  rotation: 0,
  horizontal_flip: false,
  teeth: [11 + index],
  description: null,
});

/** Creates a patient with a study, a mount with one mounted image, an image in the tray, a template and two imports. */
export const addRecord = async (
  db: Kysely<Schema>,
  customerId: string,
  stored: { readonly sha256: string; readonly sizeBytes: number },
): Promise<RecordIds> => {
  const ids = madeUp(customerId);
  const common = { customerId, birthDate: null, sex: null, comments: null };
  const [patient, other] = [ids.patientId, ids.otherPatientId].map((id) => ({
    ...common,
    id,
    firstName: 'Åsa',
    lastName: ids.patientName,
    personalNumber: String(Math.floor(1e11 + Math.random() * 9e11)),
  }));
  if (patient) await insertPatient(db, patient);
  if (other) await insertPatient(db, other);
  const accountId = await addAccount(db, { email: `${ids.accountId}@prov.example`, role: 'Doctor', customerId });
  await db
    .insertInto('role')
    .values({ id: ids.roleId, name: `Prov ${ids.roleId}`, rank: 3, claims: [] })
    .execute();
  const { role_id: doctorRoleId, security_stamp: securityStamp } = await db
    .selectFrom('account')
    .select(['role_id', 'security_stamp'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const study = { id: ids.studyId, customer_id: customerId, patient_id: ids.patientId, uid: ids.studyUid };
  await db
    .insertInto('study')
    .values({ ...study, description: 'Prov', study_date: null, accession_number: null, deleted_at: null })
    .execute();
  const series = { id: ids.seriesId, study_id: ids.studyId, uid: ids.seriesUid, modality: 'IO' };
  await db
    .insertInto('series')
    .values({ ...series, number: 1, description: null, deleted_at: null })
    .execute();
  await db
    .insertInto('image')
    .values(
      [ids.imageId, ids.trayImageId].map((id, index) => ({
        id,
        customer_id: customerId,
        series_id: ids.seriesId,
        sop_instance_uid: uidFrom(randomUUID()),
        sop_class_uid: null,
        kind: 'image' as const,
        source: 'dicom' as const,
        file_name: 'a.dcm',
        original_sha256: null,
        number: index,
        sha256: stored.sha256,
        size_bytes: stored.sizeBytes,
        rows: 6,
        columns: 8,
        frames: 1,
        transfer_syntax: '1.2.840.10008.1.2.1',
        compression: 'none' as const,
        teeth: [],
        chosen_teeth: null,
        laterality: null,
        acquired_at: null,
        comments: null,
        sensor_type: null,
        calibration: null,
        thumb_status: 'ready' as const,
        rendition_status: 'ready' as const,
        dose_status: 'read' as const,
        deleted_at: null,
      })),
    )
    .execute();
  const size = { width: 200, height: 100 };
  await db
    .insertInto('viewset')
    .values({
      id: ids.viewsetId,
      study_id: ids.studyId,
      name: 'Prov',
      comments: null,
      template_id: null,
      ...size,
      deleted_at: null,
    })
    .execute();
  await db
    .insertInto('viewset_item')
    .values(
      [0, 1].map((index) => ({
        ...slot(index),
        viewset_id: ids.viewsetId,
        image_id: index === 0 ? ids.imageId : null,
      })),
    )
    .execute();
  await db
    .insertInto('viewset_detached')
    .values({ viewset_id: ids.viewsetId, image_id: ids.trayImageId, position: 0 })
    .execute();
  await db
    .insertInto('template')
    .values({ id: ids.templateId, customer_id: customerId, name: 'Prov', modality: 'IO', items: '[]', ...size })
    .execute();
  const task = { customer_id: customerId, account_id: accountId, total_files: 1, confirmed_by: null };
  await db
    .insertInto('import_task')
    .values([
      { ...task, id: ids.newTaskId, patient_id: ids.patientId, step: 0, lease_owner: null, lease_until: null },
      { ...task, id: ids.foundTaskId, patient_id: null, step: 3, lease_owner: null, lease_until: null },
    ])
    .execute();
  await db
    .insertInto('import_study')
    .values({
      task_id: ids.foundTaskId,
      key: ids.studyUid,
      kind: 'dicom',
      study_date: null,
      named_patient: null,
      patient_id: null,
      study_uid: null,
      template_id: null,
      viewset_id: null,
    })
    .execute();
  return { ...ids, accountId, doctorRoleId, securityStamp };
};

/** Everything stored about one clinic, to check that a rejected request changed nothing. */
export const everythingOf = async (db: Kysely<Schema>, ids: RecordIds): Promise<string> => {
  const of = (customerId: string) => ({
    customer: db.selectFrom('customer').selectAll().where('id', '=', customerId).execute(),
    account: db.selectFrom('account').selectAll().where('customer_id', '=', customerId).orderBy('id').execute(),
    patient: db.selectFrom('patient').selectAll().where('customer_id', '=', customerId).orderBy('id').execute(),
    study: db.selectFrom('study').selectAll().where('customer_id', '=', customerId).orderBy('id').execute(),
    series: db.selectFrom('series').selectAll().where('id', '=', ids.seriesId).execute(),
    image: db.selectFrom('image').selectAll().where('customer_id', '=', customerId).orderBy('id').execute(),
    display: db
      .selectFrom('image_display')
      .selectAll()
      .where('image_id', 'in', [ids.imageId, ids.trayImageId])
      .execute(),
    viewset: db.selectFrom('viewset').selectAll().where('study_id', '=', ids.studyId).orderBy('id').execute(),
    item: db
      .selectFrom('viewset_item')
      .selectAll()
      .where('viewset_id', '=', ids.viewsetId)
      .orderBy('item_index')
      .execute(),
    notes: db.selectFrom('image_note').selectAll().where('subject_id', '=', ids.imageId).execute(),
    monitorChecks: db
      .selectFrom('monitor_check')
      .selectAll()
      .where('customer_id', '=', customerId)
      .orderBy('id')
      .execute(),
    grades: db.selectFrom('image_grade').selectAll().where('image_id', '=', ids.imageId).execute(),
    changes: db.selectFrom('study_change').selectAll().where('subject_id', '=', ids.studyId).execute(),
    imageChanges: db.selectFrom('image_change').selectAll().where('subject_id', '=', ids.imageId).execute(),
    viewsetNotes: db.selectFrom('viewset_note').selectAll().where('subject_id', '=', ids.viewsetId).execute(),
    tray: db.selectFrom('viewset_detached').selectAll().where('viewset_id', '=', ids.viewsetId).execute(),
    template: db.selectFrom('template').selectAll().where('customer_id', '=', customerId).orderBy('id').execute(),
    favorite: db.selectFrom('template_favorite').selectAll().where('template_id', '=', ids.templateId).execute(),
    task: db.selectFrom('import_task').selectAll().where('customer_id', '=', customerId).orderBy('id').execute(),
    found: db.selectFrom('import_study').selectAll().where('task_id', '=', ids.foundTaskId).execute(),
    file: db.selectFrom('import_file').selectAll().where('task_id', 'in', [ids.newTaskId, ids.foundTaskId]).execute(),
  });
  const rows = Object.entries(of(ids.customerId));
  return JSON.stringify(await Promise.all(rows.map(async ([name, found]) => [name, await found])));
};
