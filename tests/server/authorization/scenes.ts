import { randomUUID } from 'node:crypto';
import type { routes } from '../../../contract/routes.ts';
import { smallObject } from '../small-object.ts';
import type { RecordIds } from './record.ts';

/** What a call asks for when it means the records of one clinic. */
export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: FormData;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

interface Scene {
  /** A call that is right in every respect, if these records are one's own. */
  readonly ask: (ids: RecordIds) => Asked;
  /** Statuses of a call by somebody who may, about the own clinic's records. */
  readonly allowed?: readonly number[];
  /** Statuses for nobody at all, where the route is open to anyone. */
  readonly open?: readonly number[];
  /** It names nothing of a clinic: the same for everybody who may. */
  readonly ofNobody?: true;
}

const nothing = (): Asked => ({});
const byId = (id: keyof RecordIds, extra: Partial<Scene> = {}): Scene => ({
  ask: (ids) => ({ params: { id: ids[id] } }),
  ...extra,
});
const ofTask = (id: 'newTaskId' | 'foundTaskId'): Scene => ({
  ask: (ids) => ({ body: { id: ids[id] } }),
  allowed: [200, 409],
});

const interaction = { uid: 'V1StGXR8_Z5jdHi6B-myT' };
const inInteraction = (body?: unknown): Scene => ({
  ask: () => ({ params: interaction, ...(body === undefined ? {} : { body }) }),
  // Without the cookie of the interaction there is none.
  open: [404, 410],
  ofNobody: true,
});

const form = (id: string, field: 'file' | 'files', name: string): FormData => {
  const data = new FormData();
  data.append('id', id);
  data.append(field, new Blob([Uint8Array.from(smallObject())]), name);
  return data;
};
const upload = (field: 'file' | 'files', name: string): Scene => ({
  ask: (ids) => ({ form: form(ids.newTaskId, field, name) }),
});

const person = { firstName: 'Åsa', lastName: 'Ny', birthDate: null, sex: null, comments: null };
const personalNumber = () => String(Math.floor(1e11 + Math.random() * 9e11));
const slots = [{ xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] }];
/** The archive under test has no object store. */
const withoutStore = [404, 409, 503];

const clinicFields = { organisationName: 'Ny klinik', address: 'Provgatan 1', telephone: '070-174 06 05' };
const employeeFields = (ids: RecordIds) => ({
  ...{ email: `${ids.accountId}@prov.example`, firstName: 'Ny', lastName: 'Person', personalNumber: '198001019804' },
  ...{ telephone: '070-174 06 05', hiredSince: '2020-01-01', isActive: true, customerId: ids.customerId },
  roles: [ids.doctorRoleId],
});
const ofCustomer: Scene = { ask: (ids) => ({ params: { customerId: ids.customerId } }) };
const pictureForm = (): FormData => {
  const data = new FormData();
  data.append('file', new Blob([Uint8Array.from([1, 2, 3])]), 'a.png');
  return data;
};

/** For every route of the contract: how it is asked for. A route without an entry does not compile. */
export const scenes = {
  about: { ask: nothing, ofNobody: true },
  welcome: { ask: nothing, open: [200], ofNobody: true },
  accountInfo: { ask: (ids) => ({ query: { id: ids.accountId } }) },
  firstAdministrator: {
    ask: () => ({
      body: {
        ...{ key: 'x'.repeat(30), email: 'new@prov.example', firstName: 'Ny', lastName: 'Person' },
        ...{ password: 'Ny-losen-2026!', organisationName: 'Ny klinik' },
      },
    }),
    open: [410],
    ofNobody: true,
  },
  interactionGet: inInteraction(),
  interactionPassword: inInteraction({ username: 'doctor@prov.example', password: 'x' }),
  interactionCode: inInteraction({ code: '123456' }),
  interactionAccount: inInteraction({ id: randomUUID() }),
  interactionAbort: inInteraction({}),
  bankIdStart: inInteraction({}),
  bankIdCollect: inInteraction({}),
  bankIdCancel: inInteraction({}),
  smsRequest: inInteraction({ email: 'doctor@prov.example', language: 'sv' }),
  smsVerify: inInteraction({ code: '123456' }),
  twoFactorSetup: { ask: nothing, ofNobody: true, allowed: [200, 409] },
  twoFactorVerify: { ask: () => ({ body: { verificationCode: '123456' } }), ofNobody: true, allowed: [400, 409, 429] },
  twoFactorDisable: { ask: () => ({ body: { verificationCode: '123456' } }), ofNobody: true, allowed: [400, 409, 429] },
  resetPasswordRequest: {
    ask: () => ({ body: { email: 'nobody@prov.example', redirectUrl: 'http://localhost/authorization/newpassword' } }),
    open: [200],
    ofNobody: true,
  },
  resetPassword: {
    ask: (ids) => ({ body: { password: 'Ny-losen-2026!', SecurityStamp: 'x'.repeat(40), id: ids.accountId } }),
    open: [410],
    ofNobody: true,
  },
  azureGet: { ask: nothing, ofNobody: true },
  azureSave: {
    ask: () => ({ body: { clientId: randomUUID(), tenantId: randomUUID() } }),
    ofNobody: true,
    allowed: [200, 400, 503],
  },
  azureDelete: { ask: nothing, ofNobody: true },
  accessLogGet: { ask: (ids) => ({ query: { customerId: ids.customerId, patientId: ids.patientId } }) },
  accessLogExtract: { ask: (ids) => ({ params: { id: ids.patientId }, query: { format: 'csv' } }) },
  accessLogPeople: { ask: (ids) => ({ query: { customerId: ids.customerId } }) },
  roleClaims: { ask: nothing, ofNobody: true },
  roles: { ask: nothing, ofNobody: true },
  customerGet: byId('customerId'),
  customerGetAll: { ask: nothing, ofNobody: true },
  claimsByRole: byId('roleId', { ofNobody: true }),
  usersInRole: { ask: (ids) => ({ query: { id: ids.roleId } }), ofNobody: true },
  customersByRole: { ask: (ids) => ({ query: { id: ids.roleId, CountOnly: 'true' } }), ofNobody: true },
  roleCreate: {
    ask: () => ({ body: { name: `Ny ${randomUUID()}`, rank: 5, roleClaims: ['customer.get_itself'] } }),
    ofNobody: true,
  },
  roleUpdate: {
    ask: (ids) => ({ body: { id: ids.roleId, name: `Ny ${randomUUID()}`, rank: 6, version: 1 } }),
    ofNobody: true,
  },
  roleClaimsUpdate: {
    ask: (ids) => ({ body: { id: ids.roleId, roleClaims: ['customer.get_itself'], version: 1 } }),
    ofNobody: true,
  },
  roleDelete: {
    ask: (ids) => ({ body: { deletingRoleId: ids.roleId, applyingRoleId: null } }),
    ofNobody: true,
  },
  customerCreate: { ask: () => ({ body: clinicFields }), ofNobody: true },
  customerUpdate: {
    ask: (ids) => ({ body: { ...clinicFields, id: ids.customerId, version: 1 } }),
    allowed: [200, 409],
  },
  customerDependentsGet: byId('customerId'),
  // The clinic of the tests goes on: somebody else is told to have changed it.
  customerDelete: {
    ask: (ids) => ({ params: { id: ids.customerId }, body: { version: 999_999 } }),
    allowed: [409],
  },
  reassignUser: { ask: (ids) => ({ body: { userId: ids.accountId, newCustomerId: ids.customerId } }) },
  accountCreate: {
    ask: (ids) => ({
      body: {
        ...employeeFields(ids),
        email: `${randomUUID()}@prov.example`,
        password: 'Ny-losen-2026!',
        roles: [ids.doctorRoleId],
      },
    }),
  },
  accountUpdate: {
    ask: (ids) => ({
      body: { ...employeeFields(ids), id: ids.accountId, securityStamp: ids.securityStamp, version: 1 },
    }),
  },
  changeUserStatus: { ask: (ids) => ({ body: { id: ids.accountId, status: false } }) },
  accountDelete: byId('accountId'),
  setPassword: { ask: (ids) => ({ body: { id: ids.accountId, password: 'Ny-losen-2026!' } }) },
  customerUsers: ofCustomer,
  customerUsersAny: ofCustomer,
  usersAll: { ask: nothing, ofNobody: true },
  superAdministrators: { ask: nothing, ofNobody: true },
  pictureSave: {
    ask: (ids) => ({ params: { id: ids.accountId }, form: pictureForm() }),
    allowed: [200, 422],
  },
  pictureDelete: byId('accountId'),
  pictureGet: {
    ask: (ids) => ({
      params: { id: ids.accountId },
      query: { expires: String(Date.now() + 60_000), signature: 'forged' },
    }),
    open: [410],
  },
  statisticsGet: { ask: nothing, ofNobody: true },
  statisticsOfCustomer: ofCustomer,
  patientSearch: { ask: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  patientSearchPrivate: { ask: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  patientGet: byId('patientId'),
  patientCreate: {
    ask: (ids) => ({ body: { ...person, customerId: ids.customerId, personalNumber: personalNumber() } }),
  },
  patientUpdate: {
    ask: (ids) => ({ body: { ...person, id: ids.patientId, version: 1, personalNumber: personalNumber() } }),
  },
  patientDelete: byId('patientId'),
  patientRestore: byId('patientId'),
  patientSearchDeleted: { ask: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  patientSearchDeletedPrivate: { ask: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  studySearchDeleted: { ask: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  studySearchDeletedPrivate: { ask: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  studyMoveAllPreview: {
    ask: (ids) => ({ query: { patientFromId: ids.patientId, patientToId: ids.otherPatientId } }),
  },
  studyMoveAll: { ask: (ids) => ({ body: { patientFromId: ids.patientId, patientToId: ids.otherPatientId } }) },
  studiesByPatient: byId('patientId'),
  studySearch: { ask: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  studySearchPrivate: { ask: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  studyUpdate: {
    ask: (ids) => ({
      body: { id: ids.studyId, version: 1, description: 'Ny', studyDate: null, accessionNumber: null },
    }),
  },
  studyDelete: byId('studyId'),
  studyRestore: byId('studyId', { allowed: [200, 409] }),
  seriesDelete: byId('seriesId'),
  seriesRestore: byId('seriesId', { allowed: [200, 409] }),
  viewsetGet: byId('viewsetId'),
  viewsetCreate: {
    ask: (ids) => ({
      body: { patientUID: ids.patientId, currentStudyUID: ids.studyUid, currentViewsetUID: null, viewSetItems: slots },
    }),
  },
  viewsetUpdate: { ask: (ids) => ({ body: { viewSetUuid: ids.viewsetId, version: 1, name: 'Ny', comments: null } }) },
  viewsetDelete: byId('viewsetId'),
  viewsetRestore: byId('viewsetId', { allowed: [200, 409] }),
  viewsetMount: {
    ask: (ids) => ({ body: { viewsetUid: ids.viewsetId, itemIndex: 1, imageUid: ids.trayImageId, version: 1 } }),
  },
  viewsetUnmount: {
    ask: (ids) => ({ body: { viewsetUid: ids.viewsetId, itemIndex: 0, imageUid: ids.imageId, version: 1 } }),
  },
  viewsetMove: {
    ask: (ids) => ({
      body: {
        ...{ viewsetUidFrom: ids.viewsetId, viewsetUidTo: ids.viewsetId, itemIndexFrom: 0, itemIndexTo: 1 },
        ...{ imageUid: ids.imageId, version: 1 },
      },
    }),
  },
  displaySave: {
    ask: (ids) => ({ body: { viewsetUid: ids.viewsetId, imageUid: ids.imageId, display: null, version: 0 } }),
  },
  templates: { ask: (ids) => ({ query: { customerId: ids.customerId } }) },
  templateGet: byId('templateId'),
  templateCreate: { ask: (ids) => ({ body: { customerId: ids.customerId, name: 'Ny mall', viewSetItems: slots } }) },
  templateFavorite: { ask: (ids) => ({ body: { uuid: ids.templateId, isFavorite: true } }) },
  imageSearch: { ask: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  imageSearchPrivate: { ask: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  imageDownload: { ask: (ids) => ({ body: { imageUIDs: [ids.imageId, ids.trayImageId] } }) },
  getImage: { ask: (ids) => ({ query: { imageUID: ids.imageId } }) },
  rendition: { ask: (ids) => ({ query: { imageUID: ids.imageId } }) },
  thumbnail: {
    ask: (ids) => ({ query: { imageUID: ids.imageId, expires: String(Date.now() + 60_000), signature: 'forged' } }),
    open: [410],
  },
  marksSave: { ask: (ids) => ({ body: { imageUid: ids.imageId, marks: [], calibration: null, version: 0 } }) },
  imageUpdate: { ask: (ids) => ({ body: { uid: ids.imageId, version: 1, imageComment: 'Ny', teeth: null } }) },
  imageDelete: byId('imageId'),
  imageRestore: byId('imageId', { allowed: [200, 409] }),
  importLimitsGet: { ask: nothing, ofNobody: true },
  importBegin: { ask: (ids) => ({ body: { patientId: ids.patientId, totalFilesCount: 1 } }) },
  importDicom: upload('file', 'a.dcm'),
  importBatch: upload('files', 'a.dcm'),
  importDirectory: upload('files', 'a.dcm'),
  importZip: upload('file', 'a.zip'),
  importPartsBegin: {
    ask: (ids) => ({ body: { id: ids.newTaskId, key: randomUUID(), path: 'a.dcm', sizeBytes: 10 } }),
  },
  importPart: {
    ask: (ids) => ({ query: { id: ids.newTaskId, key: ids.fileId, offset: '0' }, bytes: Uint8Array.from([1, 2, 3]) }),
    // A part of an upload that was not begun.
    allowed: [404, 409],
  },
  awsBegin: {
    ask: (ids) => ({ body: { id: ids.newTaskId, key: randomUUID(), path: 'a.dcm', sizeBytes: 10 } }),
    allowed: withoutStore,
  },
  awsComplete: { ask: (ids) => ({ body: { id: ids.newTaskId, key: ids.fileId } }), allowed: withoutStore },
  importParse: ofTask('newTaskId'),
  importDirectoryParse: ofTask('newTaskId'),
  importAwsParse: {
    ask: (ids) => ({ body: { id: ids.newTaskId, awsFileName: `imports/${ids.newTaskId}/${ids.fileId}` } }),
    allowed: [200, 400, ...withoutStore],
  },
  importAwsDirectoryParse: {
    ask: (ids) => ({ body: { id: ids.newTaskId, awsDirectroryKey: `imports/${ids.newTaskId}/` } }),
    allowed: [200, 400, ...withoutStore],
  },
  importDecide: { ask: (ids) => ({ body: { id: ids.foundTaskId, key: ids.studyUid, patientId: ids.patientId } }) },
  importConfirm: ofTask('foundTaskId'),
  importDirectoryConfirm: ofTask('foundTaskId'),
  importRetry: ofTask('foundTaskId'),
  importCancel: ofTask('foundTaskId'),
  importGet: byId('foundTaskId'),
  importsOpen: { ask: (ids) => ({ query: { patientId: ids.patientId } }) },
  importThumbnail: {
    ask: (ids) => ({ query: { fileId: ids.fileId, expires: String(Date.now() + 60_000), signature: 'forged' } }),
    open: [410],
  },
} as const satisfies Record<keyof typeof routes, Scene>;

export const sceneOf = (name: keyof typeof routes): Scene => scenes[name];
