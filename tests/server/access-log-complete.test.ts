import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AccessAction } from '../../contract/access-log.ts';
import { pathOf, type Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';
import type { RequestInput } from './authorization/scene.ts';
import { sceneOf } from './authorization/scenes.ts';
import { smallObject } from './small-object.ts';

type Name = keyof typeof routes;

let archive: ArchiveUnderTest;
let stored: { sha256: string; sizeBytes: number };

beforeAll(async () => {
  archive = await archiveUnderTest();
  stored = await archive.archive.files.put(Readable.from([Buffer.from(smallObject())]));
});
afterAll(() => archive.close());

interface Noted {
  readonly action: AccessAction;
  /** Null: the route does not name one yet; `made`: the one in the reply. */
  readonly patient: 'patientId' | 'otherPatientId' | 'made' | null;
  /** Further ids in the entry; null where the patient is the object. */
  readonly object?: keyof RecordIds;
  /** Setup before the call. */
  readonly given?: (ids: RecordIds) => Promise<unknown>;
}

const of = (action: AccessAction, object?: keyof RecordIds, given?: Noted['given']): Noted => ({
  action,
  patient: 'patientId',
  ...(object && { object }),
  ...(given && { given }),
});

const deleted =
  (table: 'patient' | 'study' | 'series' | 'image' | 'viewset', id: keyof RecordIds) => (ids: RecordIds) =>
    archive.db.updateTable(table).set({ deleted_at: new Date() }).where('id', '=', ids[id]).execute();

/** An import without a patient, whose study was found to belong to one. */
const assigned = async (ids: RecordIds) => {
  const { db } = archive;
  const study = { task_id: ids.foundTaskId, study_key: ids.studyUid };
  await db
    .updateTable('import_study')
    .set({ patient_id: ids.otherPatientId, mismatch_confirmed: true, key: `${ids.studyUid}.1` })
    .where('task_id', '=', ids.foundTaskId)
    .execute();
  await db
    .insertInto('import_file')
    .values({
      ...study,
      study_key: `${ids.studyUid}.1`,
      id: ids.fileId,
      path: 'a.dcm',
      file_name: 'a.dcm',
      size_bytes: stored.sizeBytes,
      sha256: stored.sha256,
      status: 'parsed',
    } as never)
    .execute();
};

const ofStaff = 'concerns no patient: staff, clinics, rights, the archive itself';
const ofSigningIn = 'belongs to sign-in, which the identity service logs itself';
const ofTemplates = 'templates belong to no patient';
const ofUpload = 'files of an import whose start is logged (import.begun); the reply names no patient';
const ofLink = 'a link that the archive signed when it listed the image or the file; that listing is logged';

/** The log entry of every route of the contract, or the reason why it has none. A missing route is a compile error. */
const entries = {
  about: ofStaff,
  openapiDocument: ofStaff,
  welcome: ofStaff,
  accountInfo: ofStaff,
  roleClaims: ofStaff,
  roles: ofStaff,
  customerGet: ofStaff,
  customerGetAll: ofStaff,
  accessLogUsers: ofStaff,
  claimsByRole: ofStaff,
  usersInRole: ofStaff,
  customersByRole: ofStaff,
  roleCreate: ofStaff,
  roleUpdate: ofStaff,
  roleClaimsUpdate: ofStaff,
  roleDelete: ofStaff,
  customerCreate: ofStaff,
  customerUpdate: ofStaff,
  customerDependentsGet: ofStaff,
  customerDelete: ofStaff,
  reassignUser: ofStaff,
  accountCreate: ofStaff,
  accountUpdate: ofStaff,
  changeUserStatus: ofStaff,
  accountDelete: ofStaff,
  setPassword: ofStaff,
  customerUsers: ofStaff,
  customerUsersAny: ofStaff,
  usersAll: ofStaff,
  superAdministrators: ofStaff,
  pictureSave: ofStaff,
  pictureDelete: ofStaff,
  pictureGet: ofStaff,
  statisticsGet: ofStaff,
  statisticsOfCustomer: ofStaff,
  systemStatus: ofStaff,
  systemDetails: ofStaff,
  testMail: ofStaff,
  testSms: ofStaff,
  damagedImages: 'lists ids of images whose files are damaged, and nothing about a patient',
  azureGet: ofStaff,
  azureSave: ofStaff,
  azureDelete: ofStaff,
  firstAdministrator: ofSigningIn,
  interactionGet: ofSigningIn,
  interactionPassword: ofSigningIn,
  interactionCode: ofSigningIn,
  interactionAccount: ofSigningIn,
  interactionAbort: ofSigningIn,
  bankIdStart: ofSigningIn,
  bankIdCollect: ofSigningIn,
  bankIdCancel: ofSigningIn,
  smsRequest: ofSigningIn,
  smsVerify: ofSigningIn,
  resetPasswordRequest: ofSigningIn,
  resetLinkCreate: ofStaff,
  resetPassword: ofSigningIn,
  twoFactorSetup: ofSigningIn,
  twoFactorVerify: ofSigningIn,
  twoFactorDisable: ofSigningIn,
  templates: ofTemplates,
  templateGet: ofTemplates,
  templateCreate: ofTemplates,
  templateFavorite: ofTemplates,
  accessLogGet: of('log.read'),
  accessLogExtract: of('log.extracted'),
  patientSearch: of('patient.listed'),
  patientSearchPrivate: of('patient.listed'),
  patientGet: of('patient.opened'),
  patientCreate: { action: 'patient.created', patient: 'made' },
  patientUpdate: of('patient.edited'),
  patientDelete: of('patient.deleted'),
  patientRestore: of('patient.restored', undefined, deleted('patient', 'patientId')),
  patientSearchDeleted: of('patient.listed', undefined, deleted('patient', 'patientId')),
  patientSearchDeletedPrivate: of('patient.listed', undefined, deleted('patient', 'patientId')),
  studySearchDeleted: of('patient.listed', undefined, deleted('study', 'studyId')),
  studySearchDeletedPrivate: of('patient.listed', undefined, deleted('study', 'studyId')),
  studyMoveAllPreview: of('studies.opened'),
  studyMoveAll: of('patient.merged', 'otherPatientId'),
  recordMovePreview: of('studies.opened'),
  recordMove: of('study.moved', 'studyId'),
  studiesByPatient: of('studies.opened'),
  studySearch: of('study.listed', 'studyId'),
  studySearchPrivate: of('study.listed', 'studyId'),
  studyUpdate: of('study.edited', 'studyId'),
  studyDelete: of('study.deleted', 'studyId'),
  studyRestore: of('study.restored', 'studyId', deleted('study', 'studyId')),
  seriesDelete: of('series.deleted', 'seriesId'),
  seriesRestore: of('series.restored', 'seriesId', deleted('series', 'seriesId')),
  viewsetGet: of('viewset.opened', 'viewsetId'),
  viewsetCreate: of('viewset.created'),
  viewsetUpdate: of('viewset.edited', 'viewsetId'),
  viewsetDelete: of('viewset.deleted', 'viewsetId'),
  viewsetRestore: of('viewset.restored', 'viewsetId', deleted('viewset', 'viewsetId')),
  viewsetMount: of('image.mounted', 'trayImageId'),
  viewsetUnmount: of('image.unmounted', 'imageId'),
  viewsetMove: of('image.moved', 'imageId'),
  displaySave: of('image.display-saved', 'imageId'),
  marksSave: of('image.measured', 'imageId'),
  imageSearch: of('image.listed'),
  imageSearchPrivate: of('image.listed'),
  imageDownload: of('image.downloaded', 'imageId'),
  getImage: of('image.opened', 'imageId'),
  rendition: of('image.opened', 'imageId'),
  imageUpdate: of('image.edited', 'imageId'),
  imageDelete: of('image.deleted', 'imageId'),
  imageRestore: of('image.restored', 'imageId', deleted('image', 'imageId')),
  thumbnail: ofLink,
  importThumbnail: ofLink,
  importLimitsGet: ofStaff,
  importBegin: of('import.begun'),
  importDicom: ofUpload,
  importBatch: ofUpload,
  importDirectory: ofUpload,
  importZip: ofUpload,
  importPartsBegin: ofUpload,
  importPart: ofUpload,
  awsBegin: ofUpload,
  awsComplete: ofUpload,
  importParse: ofUpload,
  importDirectoryParse: ofUpload,
  importAwsParse: ofUpload,
  importAwsDirectoryParse: ofUpload,
  importRetry: 'continues a confirmed import (import.confirmed); the reply names no patient',
  importDecide: of('import.decided', 'foundTaskId'),
  importConfirm: { action: 'import.confirmed', patient: 'otherPatientId', object: 'foundTaskId', given: assigned },
  importDirectoryConfirm: {
    action: 'import.confirmed',
    patient: 'otherPatientId',
    object: 'foundTaskId',
    given: assigned,
  },
  importCancel: { action: 'import.cancelled', patient: null, object: 'foundTaskId' },
  importGet: { action: 'import.opened', patient: null, object: 'foundTaskId' },
  importsOpen: of('import.opened', 'newTaskId'),
} as const satisfies Record<Name, Noted | string>;

const noted = Object.entries(entries).flatMap(([name, entry]): { name: Name; entry: Noted }[] =>
  typeof entry === 'string' ? [] : [{ name: name as Name, entry }],
);

const call = async (route: Route, { params, query, body }: RequestInput) => {
  const reply = await archive.call(`${pathOf(route.path, params)}${query ? `?${new URLSearchParams(query)}` : ''}`, {
    method: route.method,
    as: archive.clinics.adminId,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: reply.status, text: await reply.text() };
};

const newestId = async () => {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from access_log`.execute(archive.db);
  return rows[0]?.id ?? 0;
};

describe.each(noted)('$name', ({ name, entry }) => {
  const route: Route = routes[name];
  const scene = async () => {
    const ids = await addRecord(archive.db, archive.clinics.customerId, stored);
    await entry.given?.(ids);
    return ids;
  };

  test(`logs ${entry.action} with user, patient, clinic and time`, async () => {
    const ids = await scene();
    const [before, from] = [await newestId(), Date.now()];
    const { status, text } = await call(route, sceneOf(name).requestOf(ids));
    expect(status, text.slice(0, 300)).toBe(200);
    const rows = await archive.db.selectFrom('access_log').selectAll().where('id', '>', before).orderBy('id').execute();
    const made = () => z.object({ id: z.string() }).parse(JSON.parse(text)).id;
    const patient = entry.patient === 'made' ? made() : entry.patient && ids[entry.patient];
    const own = rows.filter((row) => row.action === entry.action && row.patient_id === patient);
    expect(own.length, JSON.stringify(rows)).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toMatchObject({
        account_id: archive.clinics.adminId,
        customer_id: archive.clinics.customerId,
        role: 'CustomerAdmin',
      });
      expect(row.at.getTime()).toBeGreaterThanOrEqual(from);
      expect(row.at.getTime()).toBeLessThanOrEqual(Date.now());
    }
    if (entry.object) expect(own.map((row) => row.object_id)).toContain(ids[entry.object]);
  });

  test('does not reply when the entry cannot be written', async () => {
    const ids = await scene();
    await sql`create function full_disk() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$`.execute(
      archive.db,
    );
    await sql`create trigger full_disk before insert on access_log execute function full_disk()`.execute(archive.db);
    try {
      const { status, text } = await call(route, sceneOf(name).requestOf(ids));
      expect(status).toBe(500);
      expect(text).not.toMatch(/Hemlig|Åsa/);
      expect(text).not.toContain(ids.patientId);
    } finally {
      await sql`drop function full_disk cascade`.execute(archive.db);
    }
  });
});

test('logs each search hit separately, for every role', async () => {
  const { customerId } = archive.clinics;
  const before = await newestId();
  const reply = await call(routes.patientSearchPrivate, { body: { customerId, q: '', page: 1, ppage: 20 } });
  const { data } = JSON.parse(reply.text);
  const rows = await archive.db.selectFrom('access_log').select('patient_id').where('id', '>', before).execute();
  expect(data.length).toBeGreaterThan(5);
  expect(rows.map((row) => row.patient_id)).toEqual(data.map(({ id }: { id: string }) => id));
});

test('logs each patient shown in the open imports of a clinic', async () => {
  const ids = await addRecord(archive.db, archive.clinics.customerId, stored);
  await archive.db
    .updateTable('import_task')
    .set({ account_id: archive.clinics.adminId })
    .where('id', '=', ids.newTaskId)
    .execute();
  const before = await newestId();
  const { status } = await call(routes.importsOpen, { query: { customerId: ids.customerId } });
  expect(status).toBe(200);
  const rows = await archive.db.selectFrom('access_log').selectAll().where('id', '>', before).execute();
  expect(rows.some((row) => row.action === 'import.opened' && row.patient_id === ids.patientId)).toBe(true);
});
