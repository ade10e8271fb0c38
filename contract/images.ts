import { z } from 'zod';
import { bounds, uuid } from './bounds.ts';
import { calibration, display, mark } from './displays.ts';
import { route, signedIn, unless } from './route.ts';
import { tooth } from './teeth.ts';

/** A thumbnail: a signed link that expires, `null` while it is being made, or the value `error`. */
export const thumbLink = z.union([z.literal('error'), z.string()]).nullable();

/** `image` has pixels; `document` (a report, a plan, a presentation state) is kept but shows no picture. */
export const objectKind = z.enum(['image', 'document']);

export const imageInfo = z.object({
  /** The archive's own id; what `imageUID` means in every call. */
  uid: uuid,
  sopInstanceUid: z.string(),
  kind: objectKind,
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
  /** `user`: a person set them on the image, and they stay when it moves to another slot; `file`: what the file says. */
  teethSource: z.enum(['user', 'file']),
  laterality: z.enum(['L', 'R', 'B']).nullable(),
  activeImageThumbLink: thumbLink,
  /** How it was left outside any viewset; null: as the file asks. */
  display: display.nullable(),
  displayVersion: z.number().int(),
  marks: z.array(mark),
  calibration: calibration.nullable(),
  marksVersion: z.number().int(),
  /** Grows with each edit of the image's own data. */
  version: z.number().int(),
});
export type ImageInfo = z.infer<typeof imageInfo>;

/** The DICOM object as it came, byte for byte (`application/dicom`). Range requests are honoured. */
export const getImage = route({
  method: 'GET',
  path: '/resource/viewset/get_image',
  query: z.object({ imageUID: uuid }),
  access: unless('disable.open'),
  reply: z.instanceof(Uint8Array),
});

/** The picture behind a signed link: `image/jpeg`. The signature stands for the right, so an `<img>` can load it. */
export const thumbnail = route({
  method: 'GET',
  path: '/resource/thumbnail',
  query: z.object({ imageUID: uuid, expires: z.coerce.number().int(), signature: z.string() }),
  access: 'anyone',
  reply: z.instanceof(Uint8Array),
});

export const renditionLevels = ['full', 'reduced'] as const;

/**
 * One frame as the viewer takes it: the display metadata that the archive computed and the stored values, packed losslessly in what decodes
 * fastest (dicom/rendition holds the format). `reduced` is the mean of blocks of pixels, at most about 1,024 pixels on its longer side; where an image
 * is small, or a mean would mean nothing (palettes), it is the full one. Names nobody: no patient data in it.
 */
export const rendition = route({
  method: 'GET',
  path: '/resource/image/rendition',
  query: z.object({
    imageUID: uuid,
    frame: z.coerce.number().int().min(1).max(100_000).default(1),
    level: z.enum(renditionLevels).default('full'),
  }),
  access: unless('disable.open'),
  reply: z.instanceof(Uint8Array),
});

/** Edits what a person knows of an image better than its file. `teeth` null: those of the file again. */
export const imageUpdate = route({
  method: 'PUT',
  path: '/resource/image/update',
  access: signedIn,
  body: z.strictObject({
    uid: uuid,
    version: z.number().int(),
    imageComment: z.string().trim().max(bounds.description[1]).nullable(),
    teeth: z.array(tooth).max(52).nullable(),
  }),
  reply: imageInfo,
});

/** Into the recycle bin. Its slot becomes free; restored, it comes back to it if it is still free. */
export const imageDelete = route({
  method: 'DELETE',
  path: '/resource/image/delete/:id',
  params: z.object({ id: uuid }),
  access: unless('disable.delete_study'),
  reply: z.object({ id: uuid }),
});

export const imageRestore = route({
  method: 'PUT',
  path: '/resource/image/restore/:id',
  params: z.object({ id: uuid }),
  access: unless('disable.delete_study'),
  reply: z.object({ id: uuid }),
});
