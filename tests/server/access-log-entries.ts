import { sql } from 'kysely';
import type { AccessAction } from '../../contract/access-log.ts';
import type { routes } from '../../contract/routes.ts';
import { encapsulatedPdfClass } from '../../server/domain/image-classes.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import type { RecordIds } from './authorization/record.ts';
import { askedDeviceId } from './authorization/record-scenes.ts';
import { pdfObject } from './pdf-object.ts';

/** Where a test runs: the database, and a stored file. */
interface LogScene {
  readonly db: ArchiveUnderTest['db'];
  readonly stored: { readonly sha256: string; readonly sizeBytes: number };
  readonly store: (bytes: Uint8Array) => Promise<{ readonly sha256: string; readonly sizeBytes: number }>;
}

export interface LoggedRoute {
  readonly action: AccessAction;
  /** Null: the route does not name one yet; `made`: the one in the reply. */
  readonly patient: 'patientId' | 'otherPatientId' | 'made' | null;
  /** Further ids in the entry; null where the patient is the object. */
  readonly object?: keyof RecordIds;
  /** Setup before the call. */
  readonly given?: (scene: LogScene, ids: RecordIds) => Promise<unknown>;
}

const of = (action: AccessAction, object?: keyof RecordIds, given?: LoggedRoute['given']): LoggedRoute => ({
  action,
  patient: 'patientId',
  ...(object && { object }),
  ...(given && { given }),
});

const deleted =
  (table: 'patient' | 'study' | 'series' | 'image' | 'viewset', id: keyof RecordIds) =>
  ({ db }: LogScene, ids: RecordIds) =>
    db.updateTable(table).set({ deleted_at: new Date() }).where('id', '=', ids[id]).execute();

/** An import without a patient, whose study was found to belong to one. */
const assigned = async ({ db, stored }: LogScene, ids: RecordIds) => {
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

/** The image of the record is a PDF. */
const encapsulated = async ({ db, store }: LogScene, ids: RecordIds) => {
  const { sha256, sizeBytes } = await store(pdfObject(new TextEncoder().encode('%PDF-1.7 ')));
  await db
    .updateTable('image')
    .set({ sop_class_uid: encapsulatedPdfClass, kind: 'document', sha256, size_bytes: sizeBytes })
    .where('id', '=', ids.imageId)
    .execute();
};

const ofStaff = 'concerns no patient: staff, clinics, rights, the archive itself';
const ofSigningIn = 'belongs to sign-in, which the identity service logs itself';
const ofTemplates = 'templates belong to no patient';
const ofUpload = 'files of an import whose start is logged (import.begun); the reply names no patient';
const ofLink = 'a link that the archive signed when it listed the image or the file; that listing is logged';

const ofRecipients = 'called by recipients without an account; shared-links.test.ts checks their entries';

/** The log entry of every route of the contract, or the reason why it has none. A missing route is a compile error. */
export const entries = {
  about: ofStaff,
  openapiDocument: ofStaff,
  welcome: ofStaff,
  accountInfo: ofStaff,
  roleClaims: ofStaff,
  roles: ofStaff,
  customerGet: ofStaff,
  customerGetAll: ofStaff,
  accessLogUsers: ofStaff,
  logReviewers: ofStaff,
  claimsByRole: ofStaff,
  usersInRole: ofStaff,
  customersByRole: ofStaff,
  roleCreate: ofStaff,
  roleUpdate: ofStaff,
  roleClaimsUpdate: ofStaff,
  roleDelete: ofStaff,
  customerCreate: ofStaff,
  customerUpdate: ofStaff,
  clinicPolicyGet: ofStaff,
  clinicPolicySet: ofStaff,
  rolePolicyGet: ofStaff,
  rolePolicySet: ofStaff,
  customerDependentsGet: ofStaff,
  customerDelete: ofStaff,
  deletedClinicsGet: ofStaff,
  customerRestore: ofStaff,
  reassignUser: ofStaff,
  accountCreate: ofStaff,
  userFileCheck: ofStaff,
  userFileAdd: ofStaff,
  directoryTokens: ofStaff,
  directoryTokenCreate: ofStaff,
  directoryTokenRevoke: ofStaff,
  serviceAccounts: ofStaff,
  serviceAccountCreate: ofStaff,
  serviceAccountRevoke: ofStaff,
  dicomDevices: ofStaff,
  dicomDeviceCreate: ofStaff,
  dicomDeviceUpdate: ofStaff,
  dicomDeviceRemove: ofStaff,
  dicomDeviceEcho: ofStaff,
  accountUpdate: ofStaff,
  changeUserStatus: ofStaff,
  userSessionsEnd: ofStaff,
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
  interactionPasskeyOptions: ofSigningIn,
  interactionPasskey: ofSigningIn,
  interactionAccount: ofSigningIn,
  interactionAbort: ofSigningIn,
  bankIdStart: ofSigningIn,
  bankIdCollect: ofSigningIn,
  bankIdCancel: ofSigningIn,
  smsRequest: ofSigningIn,
  smsVerify: ofSigningIn,
  resetPasswordRequest: ofSigningIn,
  resetLinkCreate: ofStaff,
  ownPassword: ofSigningIn,
  sessionsGet: ofSigningIn,
  sessionsEnd: ofSigningIn,
  sessionLock: ofSigningIn,
  sessionUnlockOptions: ofSigningIn,
  sessionBankIdStart: ofSigningIn,
  sessionBankIdCollect: ofSigningIn,
  sessionBankIdCancel: ofSigningIn,
  sessionUnlock: ofSigningIn,
  resetPassword: ofSigningIn,
  twoFactorSetup: ofSigningIn,
  twoFactorVerify: ofSigningIn,
  twoFactorDisable: ofSigningIn,
  twoFactorReset: ofStaff,
  passkeysGet: ofSigningIn,
  passkeyProofOptions: ofSigningIn,
  passkeyProof: ofSigningIn,
  passkeyOptions: ofSigningIn,
  passkeyAdd: ofSigningIn,
  passkeyRename: ofSigningIn,
  passkeyRemove: ofSigningIn,
  pinSet: ofSigningIn,
  pinRemove: ofSigningIn,
  templates: ofTemplates,
  templateGet: ofTemplates,
  templateCreate: ofTemplates,
  templateObject: ofTemplates,
  templateImport: ofTemplates,
  templateFavorite: ofTemplates,
  accessLogGet: of('log.read'),
  accessLogExtract: of('log.extracted'),
  logReviewList: { action: 'log.read', patient: null },
  logReviewGet: { action: 'log.read', patient: null, object: 'reviewId' },
  logReviewCreate: { action: 'review.created', patient: null },
  logReviewTakeOver: { action: 'review.taken-over', patient: null, object: 'reviewId' },
  logReviewClose: {
    action: 'review.closed',
    patient: null,
    object: 'reviewId',
    given: ({ db }, ids) =>
      sql`update log_review set reviewer_id = (select id from account where email = 'admin@prov.example')
        where id = ${ids.reviewId}`.execute(db),
  },
  patientSearch: of('patient.listed'),
  patientSearchPrivate: of('patient.listed'),
  dayListGet: of('patient.listed'),
  patientGet: of('patient.opened'),
  patientCreate: { action: 'patient.created', patient: 'made' },
  patientUpdate: of('patient.edited'),
  patientDelete: of('patient.deleted'),
  patientRestore: of('patient.restored', undefined, deleted('patient', 'patientId')),
  patientSearchDeleted: of('patient.listed', undefined, deleted('patient', 'patientId')),
  patientSearchDeletedPrivate: of('patient.listed', undefined, deleted('patient', 'patientId')),
  studySearchDeleted: of('patient.listed', undefined, deleted('study', 'studyId')),
  studySearchDeletedPrivate: of('patient.listed', undefined, deleted('study', 'studyId')),
  retentionDue: {
    action: 'patient.listed',
    patient: 'otherPatientId',
    given: ({ db }, ids) =>
      db
        .updateTable('patient')
        .set({ entered_date: new Date('2001-03-04'), modified_date: new Date('2001-03-04') })
        .where('id', '=', ids.otherPatientId)
        .execute(),
  },
  destructionList: of('patient.listed'),
  destructionPropose: { action: 'destruction.proposed', patient: 'otherPatientId' },
  destructionApprove: of('destruction.approved', 'destructionId'),
  destructionRefuse: of('destruction.refused', 'destructionId'),
  destructionRevoke: of('destruction.revoked', 'destructionId'),
  contentSearchDeleted: of('patient.listed', undefined, deleted('image', 'imageId')),
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
  noteGet: of('note.opened', 'viewsetId', ({ db }, ids) =>
    db
      .insertInto('viewset_note')
      .values({
        subject_id: ids.viewsetId,
        version: 1,
        state: 'draft',
        text: 'Prov',
        author_id: ids.accountId,
        author_name: 'Prov',
      })
      .execute(),
  ),
  noteSave: of('note.saved', 'imageId'),
  orderList: of('order.listed'),
  orderCreate: of('order.created'),
  orderDay: of('order.listed', 'orderId'),
  orderUpdate: of('order.changed', 'orderId'),
  orderCancel: of('order.cancelled', 'orderId'),
  clinicOrderList: of('order.listed'),
  clinicOrderCreate: of('order.created'),
  clinicOrderCancel: of('order.cancelled', 'orderId'),
  changesGet: of('changes.opened', 'studyId', ({ db }, ids) =>
    db
      .insertInto('study_change')
      .values({
        subject_id: ids.studyId,
        field: 'description',
        before: JSON.stringify({ value: 'Prov' }),
        after: JSON.stringify({ value: 'Nytt' }),
        author_id: ids.accountId,
        author_name: 'Prov',
      })
      .execute(),
  ),
  presentationStates: of('image.opened', 'imageId'),
  imageDose: of('dose.opened', 'imageId'),
  patientDose: of('dose.opened'),
  gradeGet: of('grade.opened', 'imageId', ({ db }, ids) =>
    db
      .insertInto('image_grade')
      .values({
        image_id: ids.imageId,
        version: 1,
        grade: 'A',
        reason: null,
        text: '',
        operator: null,
        is_cephalometric: false,
        author_id: ids.accountId,
        author_name: 'Prov',
      })
      .execute(),
  ),
  gradeSave: of('grade.saved', 'imageId'),
  gradeSample: of('image.listed', undefined, ({ db }, ids) =>
    db.updateTable('study').set({ study_date: '2026-03-02' }).where('id', '=', ids.studyId).execute(),
  ),
  monitorCheckList: ofStaff,
  monitorCheckAdd: ofStaff,
  gradeReport: 'counts images of a clinic, and names no patient',
  imageSearch: of('image.listed'),
  imageSearchPrivate: of('image.listed'),
  imageDownload: of('image.downloaded', 'imageId'),
  imageDownloadPreview: 'counts files and bytes of a download, and names no patient; the download itself is logged',
  imageExport: of('image.exported', 'imageId'),
  dicomDestinations: ofStaff,
  dicomSendingCreate: 'sends nothing itself: the job logs each image before it leaves',
  dicomSendings: 'counts images on the way to a device, and names no patient',
  dicomSendingCancel: 'stops images of the caller on the way to a device, and names no patient',
  dicomSendingRemove: 'removes an ended sending from the list of the caller, and names no patient',
  dicomFetchSources: ofStaff,
  dicomFetchSearch: of('patient.queried', undefined, ({ db }, ids) =>
    db
      .insertInto('dicom_device')
      .values({
        id: askedDeviceId,
        customer_id: ids.customerId,
        name: 'PACS',
        ae_title: 'PACS',
        address: '127.0.0.1',
        port: 104,
        can_retrieve: false,
        can_store: false,
        at_once: false,
        created_by: ids.accountId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  ),
  dicomFetchCreate: 'fetches nothing itself: the job logs each study before it is asked for',
  dicomFetches: 'counts images on the way from a device, and names no patient',
  dicomFetchCancel: 'stops studies of the caller on the way from a device, and names no patient',
  dicomFetchRemove: 'removes an ended fetch from the list of the caller, and names no patient',
  sharedLinkCreate: of('share.created'),
  sharedLinkList: of('share.listed'),
  sharedLinkEnd: of('share.ended', 'sharedLinkId'),
  sharedOpen: ofRecipients,
  sharedRendition: ofRecipients,
  sharedThumbnail: ofRecipients,
  sharedDownload: ofRecipients,
  imagePrint: of('image.printed', 'imageId'),
  getImage: of('image.opened', 'imageId'),
  getDocument: of('image.opened', 'imageId', encapsulated),
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
  dicomWebStudies: of('study.listed', 'studyId'),
  dicomWebAllSeries: of('study.listed', 'studyId'),
  dicomWebAllInstances: of('study.listed', 'studyId'),
  dicomWebSeries: of('study.listed', 'studyId'),
  dicomWebStudyInstances: of('study.listed', 'studyId'),
  dicomWebInstances: of('study.listed', 'studyId'),
  dicomWebStudy: of('study.retrieved', 'studyId'),
  dicomWebStudyMetadata: of('study.retrieved', 'studyId'),
  dicomWebRenderedStudy: of('study.retrieved', 'studyId'),
  dicomWebStudyThumbnail: of('study.retrieved', 'studyId'),
  dicomWebOneSeries: of('series.retrieved', 'seriesId'),
  dicomWebSeriesMetadata: of('series.retrieved', 'seriesId'),
  dicomWebRenderedSeries: of('series.retrieved', 'seriesId'),
  dicomWebSeriesThumbnail: of('series.retrieved', 'seriesId'),
  dicomWebInstance: of('image.retrieved', 'imageId'),
  dicomWebInstanceMetadata: of('image.retrieved', 'imageId'),
  dicomWebStore: { action: 'import.begun', patient: null },
  dicomWebStoreStudy: { action: 'import.begun', patient: null },
  dicomWebBulkData: of('image.retrieved', 'imageId'),
  dicomWebFrames: of('image.retrieved', 'imageId'),
  dicomWebRendered: of('image.retrieved', 'imageId'),
  dicomWebRenderedFrame: of('image.retrieved', 'imageId'),
  dicomWebUri: of('image.retrieved', 'imageId'),
  dicomWebThumbnail: of('image.retrieved', 'imageId'),
  dicomWebFrameThumbnail: of('image.retrieved', 'imageId'),
} as const satisfies Record<keyof typeof routes, LoggedRoute | string>;
