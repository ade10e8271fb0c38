import { about, openapiDocument, welcome } from './about.ts';
import { accessLogExtract, accessLogGet, accessLogUsers } from './access-log.ts';
import { awsBegin, awsComplete, importAwsDirectoryParse, importAwsParse } from './aws-uploads.ts';
import { changesGet } from './changes.ts';
import { damagedImages } from './damaged-images.ts';
import { dayListGet } from './day-lists.ts';
import {
  dicomFetchCancel,
  dicomFetchCreate,
  dicomFetches,
  dicomFetchRemove,
  dicomFetchSearch,
  dicomFetchSources,
} from './dicom-fetches.ts';
import {
  dicomDestinations,
  dicomSendingCancel,
  dicomSendingCreate,
  dicomSendingRemove,
  dicomSendings,
} from './dicom-sendings.ts';
import { dicomWebRoutes } from './dicomweb.ts';
import { displaySave, marksSave } from './displays.ts';
import { imageDose, patientDose } from './dose.ts';
import { imageDownload, imageDownloadPreview, imageSearch, imageSearchPrivate } from './gallery.ts';
import { gradeReport, gradeSample } from './grade-report.ts';
import { gradeGet, gradeSave } from './grades.ts';
import { identityRoutes } from './identity-routes.ts';
import { getDocument, getImage, imageDelete, imageRestore, imageUpdate, rendition, thumbnail } from './images.ts';
import {
  importBegin,
  importCancel,
  importConfirm,
  importDecide,
  importDirectoryConfirm,
  importDirectoryParse,
  importGet,
  importParse,
  importRetry,
  importsOpen,
  importThumbnail,
} from './import-calls.ts';
import { logReviewRoutes } from './log-review-routes.ts';
import { studyMoveAll, studyMoveAllPreview } from './merge.ts';
import { monitorCheckAdd, monitorCheckList } from './monitor-checks.ts';
import { recordMove, recordMovePreview } from './moves.ts';
import { noteGet, noteSave } from './notes.ts';
import { orderCancel, orderCreate, orderDay, orderList, orderUpdate } from './orders.ts';
import { patientCreate, patientGet, patientSearch, patientSearchPrivate, patientUpdate } from './patients.ts';
import { presentationStates } from './presentation-states.ts';
import { imageExport, imagePrint } from './print.ts';
import {
  contentSearchDeleted,
  patientDelete,
  patientRestore,
  patientSearchDeleted,
  patientSearchDeletedPrivate,
  studySearchDeleted,
  studySearchDeletedPrivate,
} from './recycle-bin.ts';
import { retentionRoutes } from './retention-routes.ts';
import {
  sharedDownload,
  sharedLinkCreate,
  sharedLinkEnd,
  sharedLinkList,
  sharedOpen,
  sharedRendition,
  sharedThumbnail,
} from './shared-links.ts';
import { statisticsGet, statisticsOfCustomer } from './statistics.ts';
import {
  seriesDelete,
  seriesRestore,
  studiesByPatient,
  studyDelete,
  studyRestore,
  studySearch,
  studySearchPrivate,
  studyUpdate,
} from './studies.ts';
import { systemDetails, systemStatus, testMail, testSms } from './system-status.ts';
import { templateImport, templateObject } from './template-objects.ts';
import {
  importBatch,
  importDicom,
  importDirectory,
  importLimitsGet,
  importPart,
  importPartsBegin,
  importZip,
} from './uploads.ts';
import {
  templateCreate,
  templateFavorite,
  templateGet,
  templates,
  viewsetCreate,
  viewsetDelete,
  viewsetGet,
  viewsetMount,
  viewsetMove,
  viewsetRestore,
  viewsetUnmount,
  viewsetUpdate,
} from './viewsets.ts';

/** All routes of this version. */
export const routes = {
  about,
  openapiDocument,
  welcome,
  ...identityRoutes,
  accessLogGet,
  accessLogExtract,
  accessLogUsers,
  ...logReviewRoutes,
  statisticsGet,
  statisticsOfCustomer,
  systemStatus,
  systemDetails,
  testMail,
  testSms,
  damagedImages,
  patientSearch,
  patientSearchPrivate,
  dayListGet,
  patientGet,
  patientCreate,
  patientUpdate,
  patientDelete,
  patientRestore,
  patientSearchDeleted,
  patientSearchDeletedPrivate,
  studiesByPatient,
  studySearch,
  studySearchPrivate,
  studyUpdate,
  studyDelete,
  studyRestore,
  studySearchDeleted,
  studySearchDeletedPrivate,
  ...retentionRoutes,
  contentSearchDeleted,
  studyMoveAll,
  studyMoveAllPreview,
  recordMove,
  recordMovePreview,
  seriesDelete,
  seriesRestore,
  viewsetGet,
  viewsetCreate,
  viewsetUpdate,
  viewsetDelete,
  viewsetRestore,
  viewsetMount,
  viewsetUnmount,
  viewsetMove,
  displaySave,
  templates,
  templateGet,
  templateObject,
  templateImport,
  templateCreate,
  templateFavorite,
  imageSearch,
  imageSearchPrivate,
  imageDownload,
  imageDownloadPreview,
  imageExport,
  dicomDestinations,
  dicomSendingCreate,
  dicomSendings,
  dicomSendingCancel,
  dicomSendingRemove,
  dicomFetchSources,
  dicomFetchSearch,
  dicomFetchCreate,
  dicomFetches,
  dicomFetchCancel,
  dicomFetchRemove,
  sharedLinkCreate,
  sharedLinkList,
  sharedLinkEnd,
  sharedOpen,
  sharedRendition,
  sharedThumbnail,
  sharedDownload,
  imagePrint,
  getImage,
  getDocument,
  rendition,
  thumbnail,
  marksSave,
  noteGet,
  noteSave,
  orderList,
  orderDay,
  orderCreate,
  orderUpdate,
  orderCancel,
  changesGet,
  presentationStates,
  imageDose,
  patientDose,
  gradeGet,
  gradeSave,
  gradeSample,
  gradeReport,
  monitorCheckList,
  monitorCheckAdd,
  imageUpdate,
  imageDelete,
  imageRestore,
  importLimitsGet,
  importBegin,
  importDicom,
  importBatch,
  importDirectory,
  importZip,
  importPartsBegin,
  importPart,
  awsBegin,
  awsComplete,
  importParse,
  importDirectoryParse,
  importAwsParse,
  importAwsDirectoryParse,
  importDecide,
  importConfirm,
  importDirectoryConfirm,
  importRetry,
  importCancel,
  importGet,
  importsOpen,
  importThumbnail,
  ...dicomWebRoutes,
} as const;
