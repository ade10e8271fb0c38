import { z } from 'zod';
import { bounds, moment, recordVersion, uuid } from './bounds.ts';
import { calibration, display, markAuthor, measurement, storedAnnotation } from './displays.ts';
import { gradeSummary } from './grade-summary.ts';
import { noteSummary } from './notes.ts';
import { bytes, idReply, route, signedIn, unless } from './route.ts';
import { tooth } from './teeth.ts';

/** A thumbnail: a signed link that expires, `null` while it is being made, or the value `error`. */
export const thumbLink = z.union([z.literal('error'), z.string()]).nullable();

/**
 * The stored file of an image is damaged or missing, with the time of detection. Derived pictures may still be shown, with this notice;
 * the file itself is not served. Null when no failure is known.
 */
export const fileError = z.object({ kind: z.enum(['damaged', 'missing']), since: moment });
export type FileError = z.infer<typeof fileError>;

/** `image` has pixels; `document` (a report, a plan, a presentation state) is stored but has no picture. */
export const objectKind = z.enum(['image', 'document']);

export const imageInfo = z.object({
  /** The archive's own id; what `imageUID` means in every call. */
  uid: uuid,
  sopInstanceUid: z.string(),
  kind: objectKind,
  /** A document that `getDocument` returns. An older server, which may still reply during an upgrade, does not name it. */
  documentType: z.literal('pdf').nullable().default(null),
  /** A document that `getDocument` returns as MP4, for browsers that play its codec. */
  isVideo: z.boolean().default(false),
  name: z.string(),
  number: z.number().int().nullable(),
  order: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  frames: z.number().int(),
  imageAcquiredDate: z.string().nullable(),
  imageComment: z.string().nullable(),
  imageCompression: z.enum(['none', 'lossless', 'lossy']),
  imageFileName: z.string(),
  imageFileSize: z.number().int(),
  imageSensorType: z.string().nullable(),
  imageTransferSyntax: z.string(),
  source: z.enum(['dicom', 'picture']),
  seriesModalityValue: z.string(),
  seriesUid: z.string(),
  studyUid: z.string(),
  viewsetId: uuid.nullable(),
  teeth: z.array(tooth),
  /** `user`: set by a user; they stay when the image moves to another slot. `file`: from the file. */
  teethSource: z.enum(['user', 'file']),
  laterality: z.enum(['L', 'R', 'B']).nullable(),
  activeImageThumbLink: thumbLink,
  storageFault: fileError.nullable(),
  /** The saved display outside any viewset; null: the default of the file. */
  display: display.nullable(),
  displayVersion: z.number().int(),
  marks: z.array(measurement),
  /** Absent in replies of servers before 0.3. */
  annotations: z.array(storedAnnotation).optional(),
  /** Of marks and annotations; absent in replies of servers before 0.3. */
  markAuthors: z.array(markAuthor).optional(),
  calibration: calibration.nullable(),
  marksVersion: z.number().int(),
  /** Null: there was never a note. An older server, which may still reply during an upgrade, does not know notes. */
  note: noteSummary.nullable().default(null),
  /** Null: never graded. An older server, which may still reply during an upgrade, does not know grades. */
  grade: gradeSummary.nullable().default(null),
  /** Incremented by each edit of the image's own data. */
  version: z.number().int(),
});
export type ImageInfo = z.infer<typeof imageInfo>;

/**
 * Returns when an image was acquired, `YYYY-MM-DD` or with a local time; null when not known. A picture file without a time of its own was
 * given the date of its study at import, often the day of the import, which says nothing about the picture.
 */
export const acquiredOf = ({ source, imageAcquiredDate }: Pick<ImageInfo, 'source' | 'imageAcquiredDate'>) =>
  source === 'picture' && !imageAcquiredDate?.includes('T') ? null : imageAcquiredDate;

/** The original DICOM object, byte for byte (`application/dicom`). Range requests are honoured. */
export const getImage = route({
  method: 'GET',
  path: '/resource/viewset/get_image',
  query: z.object({ imageUID: uuid }),
  access: unless('disable.open'),
  reply: bytes,
});

/** The PDF in an Encapsulated PDF object (`application/pdf`), or an H.264 or HEVC video (`video/mp4`). Fails with `image-not-readable` for other objects. */
export const getDocument = route({
  method: 'GET',
  path: '/resource/image/document',
  query: z.object({ imageUID: uuid }),
  access: unless('disable.open'),
  reply: bytes,
});

/** The picture behind a link signed for a session: `image/jpeg`. An `<img>` can load it while the session lasts. Else fails with `link-expired`. */
export const thumbnail = route({
  method: 'GET',
  path: '/resource/thumbnail',
  query: z.object({
    imageUID: uuid,
    session: z.string(),
    expires: z.coerce.number().int(),
    signature: z.string(),
  }),
  access: 'anyone',
  reply: bytes,
});

export const renditionLevels = ['full', 'reduced'] as const;

export const renditionQuery = z.object({
  imageUID: uuid,
  frame: z.coerce.number().int().min(1).max(100_000).default(1),
  level: z.enum(renditionLevels).default('full'),
});

/**
 * One frame for the viewer: display metadata and losslessly compressed stored values (format: dicom/rendition). `reduced` has the means of
 * blocks of pixels, at most about 1,024 pixels on its longer side; for small images, and where a mean is undefined (palettes), it is the
 * full one. Contains no patient data.
 */
export const rendition = route({
  method: 'GET',
  path: '/resource/image/rendition',
  query: renditionQuery,
  access: unless('disable.open'),
  reply: bytes,
});

/** Edits the image data that override those of the file. `teeth` null: those of the file. */
export const imageUpdate = route({
  method: 'PUT',
  path: '/resource/image/update',
  access: signedIn,
  body: z.strictObject({
    uid: uuid,
    version: recordVersion,
    imageComment: z.string().trim().max(bounds.description[1]).nullable(),
    teeth: z.array(tooth).max(52).nullable(),
  }),
  reply: imageInfo,
});

/** Moves an image to the recycle bin. Its slot becomes free; a restored image returns to it if it is still free. */
export const imageDelete = route({
  method: 'DELETE',
  path: '/resource/image/delete/:id',
  params: z.object({ id: uuid }),
  access: unless('disable.delete_study'),
  reply: idReply,
});

export const imageRestore = route({
  method: 'PUT',
  path: '/resource/image/restore/:id',
  params: z.object({ id: uuid }),
  access: unless('disable.delete_study'),
  reply: idReply,
});
