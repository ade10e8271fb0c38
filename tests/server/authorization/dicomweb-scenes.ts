import type { dicomWebRoutes } from '../../../contract/dicomweb.ts';
import { smallObject } from '../small-object.ts';
import type { RecordIds } from './record.ts';
import type { Scene } from './scene.ts';

const paramsOf = (ids: RecordIds) => ({
  clinic: ids.customerId,
  study: ids.studyUid,
  series: ids.seriesUid,
  instance: ids.imageUid,
  frames: '1',
  element: '7FE00010',
});

const retrieval: Scene = { requestOf: (ids) => ({ params: paramsOf(ids) }) };
const search: Scene = {
  requestOf: (ids) => ({ params: paramsOf(ids), query: { PatientName: `${ids.patientName}*`, limit: '5' } }),
};

const uri: Scene = {
  requestOf: (ids) => ({
    params: { clinic: ids.customerId },
    query: { requestType: 'WADO', studyUID: ids.studyUid, seriesUID: ids.seriesUid, objectUID: ids.imageUid },
  }),
};

const storing: Scene = {
  requestOf: (ids) => ({
    params: paramsOf(ids),
    dicom: smallObject({ StudyInstanceUID: ids.studyUid, SOPInstanceUID: `${ids.studyUid}.1` }),
  }),
};

export const dicomWebScenes = {
  dicomWebStudies: search,
  dicomWebAllSeries: search,
  dicomWebAllInstances: search,
  dicomWebSeries: search,
  dicomWebStudyInstances: search,
  dicomWebInstances: search,
  dicomWebStudy: retrieval,
  dicomWebStudyMetadata: retrieval,
  dicomWebOneSeries: retrieval,
  dicomWebSeriesMetadata: retrieval,
  dicomWebInstance: retrieval,
  dicomWebInstanceMetadata: retrieval,
  dicomWebBulkData: retrieval,
  dicomWebFrames: retrieval,
  dicomWebRenderedStudy: retrieval,
  dicomWebRenderedSeries: retrieval,
  dicomWebRendered: retrieval,
  dicomWebRenderedFrame: retrieval,
  dicomWebStudyThumbnail: retrieval,
  dicomWebSeriesThumbnail: retrieval,
  dicomWebThumbnail: retrieval,
  dicomWebFrameThumbnail: retrieval,
  dicomWebUri: uri,
  dicomWebStore: storing,
  dicomWebStoreStudy: storing,
} satisfies Record<keyof typeof dicomWebRoutes, Scene>;
