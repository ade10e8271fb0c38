import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
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
  readonly personalNumber: string;
  readonly otherPatientId: string;
  readonly studyId: string;
  readonly studyUid: string;
  readonly seriesId: string;
  readonly seriesUid: string;
  readonly imageId: string;
  /** SOP Instance UID of the first image. */
  readonly imageUid: string;
  readonly trayImageId: string;
  readonly viewsetId: string;
  readonly templateId: string;
  /** Still uploading. */
  readonly newTaskId: string;
  /** Waits for the user's decisions. */
  readonly foundTaskId: string;
  readonly fileId: string;
  /** A link that shares the first image. */
  readonly sharedLinkId: string;
  /** A proposal to destroy the patient. */
  readonly destructionId: string;
  /** An order of images of the patient. */
  readonly orderId: string;
  /** An open review of what the account accessed. */
  readonly reviewId: string;
}

const suffix = () =>
  randomUUID().replace(/[\d-]/g, (character) => 'ghijklmnopq'.charAt('0123456789-'.indexOf(character)));

const newPersonalNumber = () => String(Math.floor(1e11 + Math.random() * 9e11));

/** Ids that do not exist. */
export const madeUp = (customerId: string = randomUUID()): RecordIds => ({
  customerId,
  accountId: randomUUID(),
  roleId: randomUUID(),
  doctorRoleId: randomUUID(),
  securityStamp: randomUUID(),
  patientId: randomUUID(),
  patientName: `Hemlig${suffix().slice(0, 16)}`,
  personalNumber: newPersonalNumber(),
  otherPatientId: randomUUID(),
  studyId: randomUUID(),
  studyUid: uidFrom(randomUUID()),
  seriesId: randomUUID(),
  seriesUid: uidFrom(randomUUID()),
  imageId: randomUUID(),
  imageUid: uidFrom(randomUUID()),
  trayImageId: randomUUID(),
  viewsetId: randomUUID(),
  templateId: randomUUID(),
  newTaskId: randomUUID(),
  foundTaskId: randomUUID(),
  fileId: randomUUID(),
  destructionId: randomUUID(),
  orderId: randomUUID(),
  reviewId: randomUUID(),
  sharedLinkId: randomUUID(),
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
    personalNumber: id === ids.patientId ? ids.personalNumber : newPersonalNumber(),
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
        sop_instance_uid: index === 0 ? ids.imageUid : uidFrom(randomUUID()),
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
        dicom_attributes: '{}',
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
  await db.updateTable('customer').set({ shares_links: true }).where('id', '=', customerId).execute();
  await db
    .insertInto('shared_link')
    .values({
      id: ids.sharedLinkId,
      customer_id: customerId,
      patient_id: ids.patientId,
      account_id: accountId,
      expires_at: new Date(Date.now() + 3_600_000),
      recipient: 'Käkkirurgen',
      shows_patient: true,
      confirmed_burned_in: 0,
    })
    .execute();
  await db
    .insertInto('shared_link_image')
    .values({ link_id: ids.sharedLinkId, position: 0, image_id: ids.imageId })
    .execute();
  await db
    .insertInto('destruction_order')
    .values({
      id: ids.destructionId,
      customer_id: customerId,
      kind: 'patient',
      subject_id: ids.patientId,
      patient_id: ids.patientId,
      basis: 'authority',
      reference: 'IVO 7',
      reason: 'Prov',
      state: 'proposed',
      proposed_by: accountId,
      decided_by: null,
      decided_at: null,
      due_at: null,
      ended_by: null,
      ended_at: null,
    })
    .execute();
  await db
    .insertInto('log_review')
    .values({
      id: ids.reviewId,
      customer_id: customerId,
      account_id: accountId,
      from_day: '2025-01-01',
      to_day: '2025-01-31',
      reason: 'chosen',
      reviewer_id: ids.roleId,
      created_by: ids.roleId,
      outcome: null,
      comment: null,
      closed_by: null,
      closed_at: null,
    })
    .execute();
  await db
    .insertInto('imaging_order')
    .values({
      id: ids.orderId,
      customer_id: customerId,
      patient_id: ids.patientId,
      study_uid: uidFrom(randomUUID()),
      accession_number: ids.orderId.slice(-12),
      procedure_text: 'Panorama',
      modality: 'PX',
      device_id: null,
      scheduled_day: '2026-01-31',
      scheduled_time: '09:30',
      comment: '',
      created_by: accountId,
    })
    .execute();
  return { ...ids, accountId, doctorRoleId, securityStamp };
};

/** The rows of each table that belong to one clinic or one of its records. */
const belongsTo: Readonly<Record<string, (ids: RecordIds) => RawBuilder<unknown>>> = {
  customer: (ids) => sql`id = ${ids.customerId}`,
  ...Object.fromEntries(
    [
      'account',
      'patient',
      'study',
      'image',
      'monitor_check',
      'imaging_order',
      'shared_link',
      'template',
      'import_task',
      'destruction_order',
      'log_review',
    ].map((table) => [table, (ids: RecordIds) => sql`customer_id = ${ids.customerId}`]),
  ),
  series: (ids) => sql`study_id = ${ids.studyId}`,
  study_change: (ids) => sql`subject_id = ${ids.studyId}`,
  patient_change: (ids) => sql`subject_id = ${ids.patientId}`,
  image_display: (ids) => sql`image_id in (${ids.imageId}, ${ids.trayImageId})`,
  image_note: (ids) => sql`subject_id = ${ids.imageId}`,
  image_grade: (ids) => sql`image_id = ${ids.imageId}`,
  image_change: (ids) => sql`subject_id = ${ids.imageId}`,
  viewset: (ids) => sql`study_id = ${ids.studyId}`,
  viewset_item: (ids) => sql`viewset_id = ${ids.viewsetId}`,
  viewset_detached: (ids) => sql`viewset_id = ${ids.viewsetId}`,
  viewset_note: (ids) => sql`subject_id = ${ids.viewsetId}`,
  template_favorite: (ids) => sql`template_id = ${ids.templateId}`,
  import_study: (ids) => sql`task_id = ${ids.foundTaskId}`,
  import_file: (ids) => sql`task_id in (${ids.newTaskId}, ${ids.foundTaskId})`,
};

/** Number of rows and newest transaction of each table for one clinic: equal before and after means that nothing was written. */
export const versionsOf = async (db: Kysely<Schema>, ids: RecordIds): Promise<unknown> => {
  const tables = Object.entries(belongsTo).map(
    ([
      table,
      where,
    ]) => sql`select ${table}::text as name, count(*)::int as rows, max(xmin::text::bigint)::text as newest
      from ${sql.table(table)} where ${where(ids)}`,
  );
  return (await sql`${sql.join(tables, sql` union all `)}`.execute(db)).rows;
};
