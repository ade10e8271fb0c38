import { z } from 'zod';
import { dateOnly, moment, uuid } from './bounds.ts';
import { thumbLink } from './images.ts';
import { listed, listOrder, listQuery } from './lists.ts';
import { route, signedIn, unless } from './route.ts';
import { tooth } from './teeth.ts';

/**
 * What the gallery is sorted by. `patient`: by name, then patient, then date; `modality`: then date. Days without a time come before the hours of the
 * same day, images without any day before all others.
 */
export const gallerySorts = ['date', 'patient', 'modality', 'size', 'upload'] as const;
export type GallerySort = (typeof gallerySorts)[number];

export const imageSource = z.enum(['dicom', 'picture']);

/** Several values: an array, or in an address one text with commas. */
const several = <T extends z.ZodType>(item: T, most: number, read: (text: string) => unknown = (text) => text) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',').filter(Boolean).map(read) : value),
      z.array(item).max(most),
    )
    .default([]);

const asked = listQuery(gallerySorts).extend({
  order: listOrder.default('desc'),
  customerId: uuid,
  /** Of this patient or study alone; of another clinic's there are none here. */
  patientId: uuid.optional(),
  studyId: uuid.optional(),
  /** Any of these; none: all. */
  modalities: several(z.string().max(16), 50),
  /** Days on which it was taken, both included; what has no day of its own counts by its study. */
  from: dateOnly.optional(),
  to: dateOnly.optional(),
  /** Shows at least one of these teeth. */
  teeth: several(tooth, 52, Number),
  source: imageSource.optional(),
});

/** One image in a list: what the columns of the gallery show, and the ids that open it in the viewer. */
export const galleryImage = z.object({
  /** The archive's own id; what `imageUID` means in every call. */
  uid: uuid,
  sopInstanceUid: z.string(),
  /** The words under a picture: what its series calls itself, and which image of it this is. */
  name: z.string(),
  number: z.number().int().nullable(),
  activeImageThumbLink: thumbLink,
  patientId: uuid,
  patientName: z.string(),
  personalNumber: z.string(),
  studyId: uuid,
  studyUid: z.string(),
  /** `YYYY-MM-DD` */
  studyDate: z.string().nullable(),
  studyDescription: z.string(),
  seriesUid: z.string(),
  seriesModalityValue: z.string(),
  /** Where it hangs, if it hangs anywhere. */
  viewsetId: uuid.nullable(),
  /** `YYYY-MM-DD` or with a time of day, as the device knew it. */
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
});
export type GalleryImage = z.infer<typeof galleryImage>;

const reply = listed(galleryImage).extend({
  /** What there is to filter by, whatever the filters of this call. */
  facets: z.object({ modalities: z.array(z.string()) }),
});
export type GalleryPage = z.infer<typeof reply>;

/**
 * The images of a clinic; documents (reports, plans) are none. Each word of `q` begins a word of the patient's name, the study's description, the
 * comment or the name of the file (case and marks folded); one of two digits or more may also stand anywhere in the personal number. By number a page
 * reaches down to the `mostCounted`-th row, by `after` to the end.
 */
export const imageSearch = route({
  method: 'GET',
  path: '/resource/image/search',
  query: asked,
  access: signedIn,
  reply,
});

/** The same search with its text in the body, so that no personal number stands in an address. The browser uses this one. */
export const imageSearchPrivate = route({
  method: 'POST',
  path: '/resource/image/search',
  body: asked,
  access: signedIn,
  reply,
});

export const mostDownloaded = 500;

/**
 * The files as they came, byte for byte, in one zip (`application/zip`, stored): DICOM objects, and pictures as the jpg or png that they were. Names in
 * it say nothing about the patient: `2026-03-12_IO_001.dcm`, numbered in the order of `imageUIDs`. All or none: if one is out of reach, `not-found`.
 */
export const imageDownload = route({
  method: 'POST',
  path: '/resource/image/download',
  body: z.strictObject({ imageUIDs: z.array(uuid).min(1).max(mostDownloaded) }),
  access: unless('disable.open'),
  reply: z.instanceof(Uint8Array),
});
