import { z } from 'zod';
import { uuid } from './bounds.ts';
import { route, signedIn } from './route.ts';
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
  laterality: z.enum(['L', 'R', 'B']).nullable(),
  activeImageThumbLink: thumbLink,
});
export type ImageInfo = z.infer<typeof imageInfo>;

/** The DICOM object as it came, byte for byte (`application/dicom`). Range requests are honoured. */
export const getImage = route({
  method: 'GET',
  path: '/resource/viewset/get_image',
  query: z.object({ imageUID: uuid }),
  access: signedIn,
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
