import { randomUUID } from 'node:crypto';
import type { routes } from '../../../contract/routes.ts';
import { protocolBytes } from '../../dicom/written-protocol.ts';
import { orderBody } from '../order-body.ts';
import { printedPicture, printForm, printRequestOf } from '../print-request.ts';
import { smallObject } from '../small-object.ts';
import type { RecordIds } from './record.ts';
import { byId, nothing, type Scene } from './scene.ts';

const ofTask = (id: 'newTaskId' | 'foundTaskId'): Scene => ({
  requestOf: (ids) => ({ body: { id: ids[id] } }),
  allowed: [200, 409],
});

const form = (id: string, field: 'file' | 'files', name: string): FormData => {
  const data = new FormData();
  data.append('id', id);
  data.append(field, new Blob([Uint8Array.from(smallObject())]), name);
  return data;
};
const upload = (field: 'file' | 'files', name: string): Scene => ({
  requestOf: (ids) => ({ form: form(ids.newTaskId, field, name) }),
});

const patient = { firstName: 'Åsa', lastName: 'Ny', birthDate: null, sex: null, comments: null };
const personalNumber = () => String(Math.floor(1e11 + Math.random() * 9e11));
/** A Hanging Protocol of one slot. */
const protocolFile = Buffer.from(protocolBytes()).toString('base64');
const slots = [{ xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] }];
/** The archive under test has no object store. */
const withoutStore = [404, 409, 503];

const namedOf = ({ personalNumber, patientName: lastName }: RecordIds) => {
  const [firstName, birthDate] = ['Åsa', null];
  return { personalNumber, lastName, firstName, birthDate };
};

const moveOfStudy = (ids: RecordIds) => ({
  what: 'study',
  id: ids.studyId,
  patientFromId: ids.patientId,
  patientToId: ids.otherPatientId,
});
/** Requests of patients, studies, viewsets, images and imports. */
/** A device that no node answers as; only some scenes list it. */
export const askedDeviceId = '6f0f3a52-1b0e-4b7c-9d55-3a1c7c0f7e01';

export const recordScenes = {
  patientSearch: { requestOf: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  patientSearchPrivate: { requestOf: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  dayListGet: { requestOf: (ids) => ({ body: { customerId: ids.customerId, list: 'waiting', q: ids.patientName } }) },
  patientGet: byId('patientId'),
  patientCreate: {
    requestOf: (ids) => ({ body: { ...patient, customerId: ids.customerId, personalNumber: personalNumber() } }),
  },
  patientUpdate: {
    requestOf: (ids) => ({ body: { ...patient, id: ids.patientId, version: 1, personalNumber: personalNumber() } }),
  },
  patientDelete: byId('patientId'),
  patientRestore: byId('patientId'),
  patientSearchDeleted: { requestOf: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  patientSearchDeletedPrivate: { requestOf: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  studySearchDeleted: { requestOf: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  studySearchDeletedPrivate: { requestOf: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  contentSearchDeleted: { requestOf: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  studyMoveAllPreview: {
    requestOf: (ids) => ({ query: { patientFromId: ids.patientId, patientToId: ids.otherPatientId } }),
  },
  studyMoveAll: { requestOf: (ids) => ({ body: { patientFromId: ids.patientId, patientToId: ids.otherPatientId } }) },
  recordMovePreview: { requestOf: (ids) => ({ query: moveOfStudy(ids) }) },
  recordMove: { requestOf: (ids) => ({ body: { ...moveOfStudy(ids), studyToId: null } }) },
  studiesByPatient: byId('patientId'),
  studySearch: { requestOf: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  studySearchPrivate: { requestOf: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  studyUpdate: {
    requestOf: (ids) => ({
      body: { id: ids.studyId, version: 1, description: 'Ny', studyDate: null, accessionNumber: null },
    }),
  },
  studyDelete: byId('studyId'),
  studyRestore: byId('studyId', { allowed: [200, 409] }),
  seriesDelete: byId('seriesId'),
  seriesRestore: byId('seriesId', { allowed: [200, 409] }),
  viewsetGet: byId('viewsetId'),
  viewsetCreate: {
    requestOf: (ids) => ({
      body: { patientUID: ids.patientId, currentStudyUID: ids.studyUid, currentViewsetUID: null, viewSetItems: slots },
    }),
  },
  viewsetUpdate: {
    requestOf: (ids) => ({ body: { viewSetUuid: ids.viewsetId, version: 1, name: 'Ny', comments: null } }),
  },
  viewsetDelete: byId('viewsetId'),
  viewsetRestore: byId('viewsetId', { allowed: [200, 409] }),
  viewsetMount: {
    requestOf: (ids) => ({ body: { viewsetUid: ids.viewsetId, itemIndex: 1, imageUid: ids.trayImageId, version: 1 } }),
  },
  viewsetUnmount: {
    requestOf: (ids) => ({ body: { viewsetUid: ids.viewsetId, itemIndex: 0, imageUid: ids.imageId, version: 1 } }),
  },
  viewsetMove: {
    requestOf: (ids) => ({
      body: {
        viewsetUidFrom: ids.viewsetId,
        viewsetUidTo: ids.viewsetId,
        itemIndexFrom: 0,
        itemIndexTo: 1,
        imageUid: ids.imageId,
        version: 1,
      },
    }),
  },
  displaySave: {
    requestOf: (ids) => ({ body: { viewsetUid: ids.viewsetId, imageUid: ids.imageId, display: null, version: 0 } }),
  },
  templates: { requestOf: (ids) => ({ query: { customerId: ids.customerId } }) },
  templateGet: byId('templateId'),
  templateCreate: {
    requestOf: (ids) => ({ body: { customerId: ids.customerId, name: 'Ny mall', viewSetItems: slots } }),
  },
  templateObject: byId('templateId'),
  templateImport: {
    requestOf: (ids) => ({ body: { customerId: ids.customerId, file: protocolFile } }),
  },
  templateFavorite: { requestOf: (ids) => ({ body: { uuid: ids.templateId, isFavorite: true } }) },
  imageSearch: { requestOf: (ids) => ({ query: { customerId: ids.customerId, q: ids.patientName } }) },
  imageSearchPrivate: { requestOf: (ids) => ({ body: { customerId: ids.customerId, q: ids.patientName } }) },
  imageDownload: { requestOf: (ids) => ({ body: { imageUIDs: [ids.imageId, ids.trayImageId] } }) },
  imageDownloadPreview: { requestOf: (ids) => ({ body: { patientId: ids.patientId } }) },
  imageExport: { requestOf: (ids) => ({ body: { imageUIDs: [ids.imageId, ids.trayImageId] } }) },
  dicomDestinations: { requestOf: (ids) => ({ params: { customerId: ids.customerId } }) },
  dicomSendingCreate: {
    requestOf: (ids) => ({ body: { deviceId: randomUUID(), studyId: ids.studyId } }),
    allowed: [404],
  },
  dicomSendings: { requestOf: (ids) => ({ params: { customerId: ids.customerId } }) },
  dicomSendingCancel: { requestOf: () => ({ body: { id: randomUUID() } }), allowed: [404] },
  dicomSendingRemove: { requestOf: () => ({ body: { id: randomUUID() } }), allowed: [404] },
  dicomFetchSources: { requestOf: (ids) => ({ params: { customerId: ids.customerId } }) },
  dicomFetchSearch: {
    requestOf: (ids) => ({ body: { deviceId: askedDeviceId, patientId: ids.patientId, by: 'number' } }),
    allowed: [404],
  },
  dicomFetchCreate: {
    requestOf: (ids) => ({
      body: {
        deviceId: randomUUID(),
        patientId: ids.patientId,
        studies: [
          {
            studyUid: '2.25.1',
            description: '',
            studyDate: null,
            patient: { name: null, patientId: null, birthDate: null },
            isSamePatient: true,
          },
        ],
      },
    }),
    allowed: [404],
  },
  dicomFetches: { requestOf: (ids) => ({ params: { customerId: ids.customerId } }) },
  dicomFetchCancel: { requestOf: () => ({ body: { id: randomUUID() } }), allowed: [404] },
  dicomFetchRemove: { requestOf: () => ({ body: { id: randomUUID() } }), allowed: [404] },
  sharedLinkCreate: {
    requestOf: (ids) => ({
      body: { imageUIDs: [ids.imageId], recipient: 'Käkkirurgen', days: '7', showsPatient: true },
    }),
  },
  sharedLinkList: byId('patientId'),
  sharedLinkEnd: byId('sharedLinkId'),
  sharedOpen: {
    requestOf: (ids) => ({ body: { id: ids.sharedLinkId, secret: 'forged', code: 'ABCD-EFGH' } }),
    open: [404],
  },
  sharedRendition: { requestOf: (ids) => ({ query: { imageUID: ids.imageId } }), open: [404] },
  sharedThumbnail: { requestOf: (ids) => ({ query: { imageUID: ids.imageId } }), open: [404] },
  sharedDownload: { requestOf: () => ({ body: {} }), open: [404] },
  imagePrint: {
    requestOf: (ids) => ({ form: printForm(printRequestOf([printedPicture(ids.imageId)])) }),
  },
  getImage: { requestOf: (ids) => ({ query: { imageUID: ids.imageId } }) },
  // The image of the record is no PDF.
  getDocument: { requestOf: (ids) => ({ query: { imageUID: ids.imageId } }), allowed: [422] },
  rendition: { requestOf: (ids) => ({ query: { imageUID: ids.imageId } }) },
  thumbnail: {
    requestOf: (ids) => ({
      query: { imageUID: ids.imageId, session: 'forged', expires: String(Date.now() + 60_000), signature: 'forged' },
    }),
    open: [410],
  },
  marksSave: { requestOf: (ids) => ({ body: { imageUid: ids.imageId, marks: [], calibration: null, version: 0 } }) },
  noteGet: { requestOf: (ids) => ({ params: { subject: 'viewset', id: ids.viewsetId } }) },
  noteSave: {
    requestOf: (ids) => ({ body: { subject: 'image', id: ids.imageId, state: 'draft', text: 'Ny', version: 0 } }),
  },
  orderList: byId('patientId'),
  orderCreate: { requestOf: (ids) => ({ body: { ...orderBody(), patientId: ids.patientId } }) },
  orderDay: { requestOf: (ids) => ({ params: { customerId: ids.customerId }, query: { day: orderBody().day } }) },
  // Cancelled, or changed, by the first call.
  orderUpdate: { requestOf: (ids) => ({ body: { ...orderBody(), id: ids.orderId, version: 1 } }), allowed: [200, 409] },
  orderCancel: { requestOf: (ids) => ({ body: { id: ids.orderId } }), allowed: [200, 409] },
  clinicOrderList: { requestOf: (ids) => ({ params: { clinic: ids.customerId }, body: { patient: namedOf(ids) } }) },
  clinicOrderCreate: {
    requestOf: (ids) => ({ params: { clinic: ids.customerId }, body: { ...orderBody(), patient: namedOf(ids) } }),
  },
  clinicOrderCancel: {
    requestOf: (ids) => ({ params: { clinic: ids.customerId }, body: { id: ids.orderId } }),
    allowed: [200, 409],
  },
  changesGet: { requestOf: (ids) => ({ params: { subject: 'study', id: ids.studyId } }) },
  presentationStates: byId('imageId'),
  imageDose: byId('imageId'),
  patientDose: byId('patientId'),
  gradeGet: byId('imageId'),
  gradeSave: { requestOf: (ids) => ({ body: { id: ids.imageId, grade: 'A', version: 0 } }) },
  gradeSample: {
    requestOf: (ids) => ({
      body: { customerId: ids.customerId, group: 'intraoral', from: '1900-01-01', to: '2100-01-01' },
    }),
  },
  gradeReport: {
    requestOf: (ids) => ({ params: { customerId: ids.customerId }, query: { from: '1900-01-01', to: '2100-01-01' } }),
  },
  imageUpdate: { requestOf: (ids) => ({ body: { uid: ids.imageId, version: 1, imageComment: 'Ny', teeth: null } }) },
  imageDelete: byId('imageId'),
  imageRestore: byId('imageId', { allowed: [200, 409] }),
  importLimitsGet: { requestOf: nothing, withoutRecords: true },
  importBegin: { requestOf: (ids) => ({ body: { patientId: ids.patientId, totalFilesCount: 1 } }) },
  importDicom: upload('file', 'a.dcm'),
  importBatch: upload('files', 'a.dcm'),
  importDirectory: upload('files', 'a.dcm'),
  importZip: upload('file', 'a.zip'),
  importPartsBegin: {
    requestOf: (ids) => ({ body: { id: ids.newTaskId, key: randomUUID(), path: 'a.dcm', sizeBytes: 10 } }),
  },
  importPart: {
    requestOf: (ids) => ({
      query: { id: ids.newTaskId, key: ids.fileId, offset: '0' },
      bytes: Uint8Array.from([1, 2, 3]),
    }),
    // A part of an upload that was not started.
    allowed: [404, 409],
  },
  awsBegin: {
    requestOf: (ids) => ({ body: { id: ids.newTaskId, key: randomUUID(), path: 'a.dcm', sizeBytes: 10 } }),
    allowed: withoutStore,
  },
  awsComplete: { requestOf: (ids) => ({ body: { id: ids.newTaskId, key: ids.fileId } }), allowed: withoutStore },
  importParse: ofTask('newTaskId'),
  importDirectoryParse: ofTask('newTaskId'),
  importAwsParse: {
    requestOf: (ids) => ({ body: { id: ids.newTaskId, awsFileName: `imports/${ids.newTaskId}/${ids.fileId}` } }),
    allowed: [200, 400, ...withoutStore],
  },
  importAwsDirectoryParse: {
    requestOf: (ids) => ({ body: { id: ids.newTaskId, awsDirectroryKey: `imports/${ids.newTaskId}/` } }),
    allowed: [200, 400, ...withoutStore],
  },
  importDecide: {
    requestOf: (ids) => ({ body: { id: ids.foundTaskId, key: ids.studyUid, patientId: ids.patientId } }),
  },
  importConfirm: ofTask('foundTaskId'),
  importDirectoryConfirm: ofTask('foundTaskId'),
  importRetry: ofTask('foundTaskId'),
  importCancel: ofTask('foundTaskId'),
  importGet: byId('foundTaskId'),
  importsOpen: { requestOf: (ids) => ({ query: { patientId: ids.patientId } }) },
  importThumbnail: {
    requestOf: (ids) => ({
      query: { fileId: ids.fileId, session: 'forged', expires: String(Date.now() + 60_000), signature: 'forged' },
    }),
    open: [410],
  },
} as const satisfies Partial<Record<keyof typeof routes, Scene>>;
