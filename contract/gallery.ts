import { z } from 'zod';
import { dateOnly, moment, uuid } from './bounds.ts';
import { gradeSummary } from './grade-summary.ts';
import { fileError, thumbLink } from './images.ts';
import { listed, listOrder, listQuery } from './lists.ts';
import { protectedIdentity } from './patients.ts';
import { recipientFields } from './recipient.ts';
import { bytes, route, signedIn, unless } from './route.ts';
import { mailLanguage } from './sign-in.ts';
import { tooth } from './teeth.ts';

/**
 * Sort orders of the gallery. `patient`: by name, then patient, then date; `modality`: then date. A date without time sorts before times of
 * the same day, images without a date before all others.
 */
export const gallerySorts = ['date', 'patient', 'modality', 'size', 'upload'] as const;
export type GallerySort = (typeof gallerySorts)[number];

export const imageSource = z.enum(['dicom', 'picture']);

/** At most `max` values: an array, or comma-separated text in a query string. */
const several = <T extends z.ZodType>(item: T, max: number, read: (text: string) => unknown = (text) => text) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',').filter(Boolean).map(read) : value),
      z.array(item).max(max),
    )
    .default([]);

/** What the gallery shows. All conditions must hold. */
export const gallerySearch = listQuery(gallerySorts).extend({
  order: listOrder.default('desc'),
  customerId: uuid,
  /** Only images of this patient or study; the result is empty for those of another clinic. */
  patientId: uuid.optional(),
  studyId: uuid.optional(),
  /** Any of these; none: all. */
  modalities: several(z.string().max(16), 50),
  /** First and last acquisition date, inclusive; an image without a date uses that of its study. */
  from: dateOnly.optional(),
  to: dateOnly.optional(),
  /** Shows at least one of these teeth. */
  teeth: several(tooth, 52, Number),
  source: imageSource.optional(),
  /** Images graded as not acceptable. */
  notAcceptable: z.enum(['included', 'excluded']).default('included'),
});

/** One image in a list: the columns of the gallery, and the ids needed to open it in the viewer. */
export const galleryImage = z.object({
  /** The archive's own id; what `imageUID` means in every call. */
  uid: uuid,
  sopInstanceUid: z.string(),
  /** Caption: description of the series and number of the image in it. */
  name: z.string(),
  number: z.number().int().nullable(),
  activeImageThumbLink: thumbLink,
  storageFault: fileError.nullable(),
  patientId: uuid,
  patientName: z.string(),
  personalNumber: z.string(),
  protectedIdentity,
  studyId: uuid,
  studyUid: z.string(),
  /** `YYYY-MM-DD` */
  studyDate: z.string().nullable(),
  studyDescription: z.string(),
  seriesUid: z.string(),
  seriesModalityValue: z.string(),
  /** The viewset and slot in which it is mounted, if any. */
  viewsetId: uuid.nullable(),
  /** `YYYY-MM-DD`, or with a local time of the device. */
  imageAcquiredDate: z.string().nullable(),
  imageComment: z.string().nullable(),
  imageCompression: z.enum(['none', 'lossless', 'lossy']),
  imageFileName: z.string(),
  imageFileSize: z.number().int(),
  imageSensorType: z.string().nullable(),
  imageTransferSyntax: z.string(),
  source: imageSource,
  uploadedAt: moment,
  width: z.number().int(),
  height: z.number().int(),
  frames: z.number().int(),
  teeth: z.array(tooth),
  laterality: z.enum(['L', 'R', 'B']).nullable(),
  /** As in `imageInfo`. */
  grade: gradeSummary.nullable().default(null),
});
export type GalleryImage = z.infer<typeof galleryImage>;

const galleryPage = listed(galleryImage).extend({
  /** Available filter values, independent of the filters of this call. */
  facets: z.object({ modalities: z.array(z.string()) }),
  /** Matches that are graded as not acceptable, included or not; `countLimit` where there are more than that. */
  notAcceptableCount: z.number().int().default(0),
});
export type GalleryPage = z.infer<typeof galleryPage>;

/**
 * The images of a clinic, without documents (reports, plans). Each word of `q` is a prefix of a word of the patient's name, the study's
 * description, the comment or the file name (case and diacritics ignored); two digits or more also match inside the personal number. Page
 * numbers are limited to the first `countLimit` rows; `after` has no limit.
 */
export const imageSearch = route({
  method: 'GET',
  path: '/resource/image/search',
  query: gallerySearch,
  access: signedIn,
  reply: galleryPage,
});

/** The same search with the text in the body, so that no personal number is in a URL. The browser uses this one. */
export const imageSearchPrivate = route({
  method: 'POST',
  path: '/resource/image/search',
  body: gallerySearch,
  access: signedIn,
  reply: galleryPage,
});

export const maxImagesNamed = 500;
/** Images of a patient or study in one download: each is checked and logged before the first byte. */
export const maxImagesOfRecord = 10_000;
/** Characters of a question to the recipient. */
export const maxQuestionLength = 4_000;
/** Response header of a download: number of files missing in the zip. */
export const leftOutHeader = 'x-left-out';

/**
 * `originals`: the files as imported, DICOM objects and pictures. `dicom`: a DICOM medium (PS3.10), pictures as the DICOM objects
 * that the import made of them. `anonymised`: such a medium by the Basic Application Confidentiality Profile of PS3.15, pixels unchanged.
 * `record`: the originals of a patient, `record.json` with all that is stored about the patient, and `access-log.csv`.
 */
export const downloadContent = z.enum(['originals', 'dicom', 'record', 'anonymised']);
export type DownloadContent = z.infer<typeof downloadContent>;

export const downloadScope = {
  imageUIDs: z.array(uuid).min(1).max(maxImagesNamed).optional(),
  studyId: uuid.optional(),
  patientId: uuid.optional(),
};
/** The images of a download: those named, or all of a study or patient. */
export interface DownloadScope {
  readonly imageUIDs?: string[];
  readonly studyId?: string;
  readonly patientId?: string;
}
export const hasOneScope = ({ imageUIDs, studyId, patientId }: DownloadScope): boolean =>
  [imageUIDs, studyId, patientId].filter((value) => value !== undefined).length === 1;

/**
 * Images in one uncompressed zip (`application/zip`); exactly one of `imageUIDs`, `studyId` and `patientId`. `recipient` and `purpose` are
 * entered in the access log.
 *
 * - File names contain no patient data. Originals are byte for byte those imported, named `2026-03-12_IO_001.dcm`, numbered in the order of
 *   the images; a DICOM medium has them as `DICOM/IM000001`, listed in `DICOMDIR`.
 * - Files that are damaged or missing in storage, and on a medium those that are no image or not readable, are skipped: `leftOutHeader`
 *   counts them, `left-out.csv` in the zip lists them with the reason.
 * - `anonymised`: images whose files do not deny text in their pixels are confirmed by their number, `confirmedBurnedIn`.
 * - `question`, not with `anonymised`: the zip also has `referral.txt` with recipient, purpose, question, and file, day of exposure and teeth
 *   (ISO 3950) of each image.
 * - `displayObjects`, with `dicom` only: the medium also has the mounts of its images as Basic Structured Displays, and rotation, flip, window,
 *   inversion and marks of each image as Softcopy Presentation State. `notExpressedHeader` counts what these cannot say, `left-out-displays.csv` in
 *   the zip lists it.
 * - `reportObjects`, with `dicom` only: the medium also has the measurements, texts and signed notes of each study as a Comprehensive SR
 *   (PS3.16 TID 1500).
 * - `uncompressed`, with `dicom` only: the images are decoded, in Explicit VR Little Endian (profile STD-GEN-CD of PS3.11). Those that cannot be are skipped.
 * - `pictureIndex`, with `dicom` only, for at most `maxImagesNamed` images: also `INDEX.HTM`, which shows a JPEG of each image in any browser, by patient
 *   and day, in `language`.
 * - `record` needs a `patientId` and the claim `user.get`, as the extract of the log does; `language` is that of its texts.
 *
 * Fails with `not-found` if one image is not accessible, or there is none and it is no `record`; with `too-many-files` for more than `maxImagesOfRecord`; with
 * `image-damaged`, `image-missing` or `image-not-readable` if every file is skipped; with `conflict` if more images than
 * `confirmedBurnedIn` may have text in their pixels.
 */
export const imageDownload = route({
  method: 'POST',
  path: '/resource/image/download',
  body: z
    .strictObject({
      ...downloadScope,
      content: downloadContent.optional(),
      confirmedBurnedIn: z.number().int().min(0).optional(),
      ...recipientFields,
      displayObjects: z.boolean().optional(),
      reportObjects: z.boolean().optional(),
      uncompressed: z.boolean().optional(),
      pictureIndex: z.boolean().optional(),
      question: z.string().trim().min(1).max(maxQuestionLength).optional(),
      language: mailLanguage.optional(),
    })
    .refine(hasOneScope)
    .refine(({ content, patientId }) => content !== 'record' || patientId !== undefined)
    .refine(
      ({ content, displayObjects, reportObjects, uncompressed, pictureIndex }) =>
        content === 'dicom' || !(displayObjects || reportObjects || uncompressed || pictureIndex),
    )
    // A question names or describes the patient.
    .refine(({ content, question }) => content !== 'anonymised' || question === undefined),
  access: unless('disable.open'),
  reply: bytes,
});

/**
 * Number and size of the files that a download would contain; exactly one of `imageUIDs`, `studyId` and `patientId`. With `anonymised` also how
 * many images may have text in their pixels (`burnedIn`, else null). A patient may have no images. `canShare`: `sharedLinkCreate` accepts them; absent in replies of
 * servers before 0.3.
 */
export const imageDownloadPreview = route({
  method: 'POST',
  path: '/resource/image/download/preview',
  body: z.strictObject({ ...downloadScope, content: downloadContent.optional() }).refine(hasOneScope),
  access: unless('disable.open'),
  reply: z.object({
    files: z.number().int(),
    sizeBytes: z.number().int(),
    burnedIn: z.number().int().nullable(),
    canShare: z.boolean().optional(),
  }),
});
