import { z } from 'zod';
import { uuid } from './bounds.ts';
import { bytes, route, signedIn, unless } from './route.ts';

/** Where the services of a clinic begin. */
export const dicomWebPath = '/dicomweb/:clinic';

/** Some devices write UIDs that are none. */
const uid = z.string().min(1).max(128);
const text = z.string().max(4_000);
const texts = z.union([text, z.array(text).max(100)]);

/** Frames from 1, separated by commas. */
const frameList = z.string().regex(/^\d{1,6}(,\d{1,6}){0,999}$/);
/** An element by its tag, inside sequences after their tags and item numbers (from 0), separated by dots. */
const element = z.string().regex(/^[0-9A-F]{8}(\.\d{1,5}\.[0-9A-F]{8}){0,20}$/);

const clinic = z.object({ clinic: uuid });
const study = clinic.extend({ study: uid });
const series = study.extend({ series: uid });
const instance = series.extend({ instance: uid });

/** Other names are attributes to match, by keyword or tag; unknown ones are ignored. */
const search = z.looseObject({
  limit: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  offset: z.coerce.number().int().min(0).max(1_000_000_000).default(0),
  fuzzymatching: z.enum(['true', 'false']).default('false'),
  includefield: texts.optional(),
});

/** For clients that cannot set headers. */
const accepting = z.looseObject({ accept: text.optional() });

/** `width,height`, and optionally the region of the image that is shown: `x,y,width,height`. */
const viewport = z
  .string()
  .regex(/^\d{1,5},\d{1,5}(,-?\d{0,5}(\.\d{1,4})?){0,4}$/)
  .optional();
/** What is burned into a picture: `patient`, `technique`, separated by a comma. Other values are ignored with a `Warning`. */
const annotation = z.string().max(200).optional();
const rendering = accepting.extend({
  viewport,
  annotation,
  /** `centre,width,function` */
  window: z
    .string()
    .regex(/^-?\d{1,9}(\.\d{1,6})?,\d{1,9}(\.\d{1,6})?,(linear|linear-exact|sigmoid)$/)
    .optional(),
  /** Of a JPEG. */
  quality: z.coerce.number().int().min(1).max(100).default(90),
});
const thumbnail = accepting.extend({ viewport });

const access = unless('disable.open');
const common = { method: 'GET', access, service: 'dicomweb.read', reply: bytes } as const;
const ofStudy = `${dicomWebPath}/studies/:study`;
const ofSeries = `${ofStudy}/series/:series`;
const ofInstance = `${ofSeries}/instances/:instance`;

/** The media type of a reply depends on `Accept` (PS3.18 8.7): all are declared as bytes. */
const searchRoute = <P extends z.ZodType>(path: string, params: P) => route({ ...common, path, params, query: search });
const retrieveRoute = <P extends z.ZodType>(path: string, params: P) =>
  route({ ...common, path, params, query: accepting });
const thumbnailRoute = <P extends z.ZodType>(path: string, params: P) =>
  route({ ...common, path, params, query: thumbnail });

export const dicomWebStudies = searchRoute(`${dicomWebPath}/studies`, clinic);
export const dicomWebAllSeries = searchRoute(`${dicomWebPath}/series`, clinic);
export const dicomWebAllInstances = searchRoute(`${dicomWebPath}/instances`, clinic);
export const dicomWebSeries = searchRoute(`${ofStudy}/series`, study);
export const dicomWebStudyInstances = searchRoute(`${ofStudy}/instances`, study);
export const dicomWebInstances = searchRoute(`${ofSeries}/instances`, series);

export const dicomWebStudy = retrieveRoute(ofStudy, study);
export const dicomWebStudyMetadata = retrieveRoute(`${ofStudy}/metadata`, study);
export const dicomWebOneSeries = retrieveRoute(ofSeries, series);
export const dicomWebSeriesMetadata = retrieveRoute(`${ofSeries}/metadata`, series);
export const dicomWebInstance = retrieveRoute(ofInstance, instance);
export const dicomWebInstanceMetadata = retrieveRoute(`${ofInstance}/metadata`, instance);
export const dicomWebBulkData = retrieveRoute(`${ofInstance}/bulkdata/:element`, instance.extend({ element }));
export const dicomWebFrames = retrieveRoute(`${ofInstance}/frames/:frames`, instance.extend({ frames: frameList }));

const renderedRoute = <P extends z.ZodType>(path: string, params: P) =>
  route({ ...common, path, params, query: rendering });
export const dicomWebRenderedStudy = renderedRoute(`${ofStudy}/rendered`, study);
export const dicomWebRenderedSeries = renderedRoute(`${ofSeries}/rendered`, series);
export const dicomWebRendered = renderedRoute(`${ofInstance}/rendered`, instance);
const frame = instance.extend({ frames: z.string().regex(/^\d{1,6}$/) });
export const dicomWebRenderedFrame = renderedRoute(`${ofInstance}/frames/:frames/rendered`, frame);
export const dicomWebStudyThumbnail = thumbnailRoute(`${ofStudy}/thumbnail`, study);
export const dicomWebSeriesThumbnail = thumbnailRoute(`${ofSeries}/thumbnail`, series);
export const dicomWebThumbnail = thumbnailRoute(`${ofInstance}/thumbnail`, instance);
export const dicomWebFrameThumbnail = thumbnailRoute(`${ofInstance}/frames/:frames/thumbnail`, frame);

const decimal = z.coerce.number().min(-1e9).max(1e9).optional();
const edge = z.coerce.number().int().min(1).max(8_192).optional();

/** One object, named in the query (WADO-URI, PS3.18 9.4): as DICOM, or as a picture. */
export const dicomWebUri = route({
  ...common,
  path: `${dicomWebPath}/wado`,
  params: clinic,
  query: z.looseObject({
    requestType: z.literal('WADO'),
    studyUID: uid,
    seriesUID: uid,
    objectUID: uid,
    contentType: text.optional(),
    /** Of an object that is sent as DICOM: the one in which it is stored. */
    transferSyntax: text.optional(),
    /** No object is changed on its way. */
    anonymize: z.literal('no').optional(),
    frameNumber: z.coerce.number().int().min(1).max(999_999).default(1),
    rows: edge,
    columns: edge,
    /** `left,top,right,bottom` as parts of the image from 0 to 1. */
    region: z
      .string()
      .regex(/^[01](\.\d{1,9})?(,[01](\.\d{1,9})?){3}$/)
      .optional(),
    windowCenter: decimal,
    windowWidth: decimal,
    annotation,
    imageQuality: z.coerce.number().int().min(1).max(100).default(90),
  }),
});

/** Stores DICOM objects of any studies, or of one: 200, 202 when some were refused, 409 when all were (PS3.18 10.5). */
const storing = {
  method: 'POST',
  access: signedIn,
  service: 'dicomweb.write',
  query: accepting,
  dicom: true,
  reply: bytes,
} as const;
export const dicomWebStore = route({ ...storing, path: `${dicomWebPath}/studies`, params: clinic });
export const dicomWebStoreStudy = route({ ...storing, path: ofStudy, params: study });

/** DICOMweb of one clinic: search (QIDO-RS), retrieval (WADO-RS) and storing (STOW-RS). */
export const dicomWebRoutes = {
  dicomWebStudies,
  dicomWebAllSeries,
  dicomWebAllInstances,
  dicomWebSeries,
  dicomWebStudyInstances,
  dicomWebInstances,
  dicomWebStudy,
  dicomWebStudyMetadata,
  dicomWebOneSeries,
  dicomWebSeriesMetadata,
  dicomWebInstance,
  dicomWebInstanceMetadata,
  dicomWebBulkData,
  dicomWebFrames,
  dicomWebRenderedStudy,
  dicomWebRenderedSeries,
  dicomWebRendered,
  dicomWebRenderedFrame,
  dicomWebStudyThumbnail,
  dicomWebSeriesThumbnail,
  dicomWebThumbnail,
  dicomWebFrameThumbnail,
  dicomWebUri,
  dicomWebStore,
  dicomWebStoreStudy,
};
