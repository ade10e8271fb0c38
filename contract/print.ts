import { z } from 'zod';
import { recordVersion, uuid } from './bounds.ts';
import { recipientFields } from './recipient.ts';
import { bytes, route, unless } from './route.ts';
import { toothNotations } from './teeth.ts';

/** Most pictures of one print, and images of one export. */
export const maxPictures = 64;
/** Bytes of one picture and of all pictures of a print. */
export const pictureBytes = 32_000_000;
export const printBytes = 96_000_000;
/** Decoded pixels of one picture. */
export const picturePixels = 48_000_000;

/**
 * Enters in the access log that pictures of these images leave the archive as files. The browser makes the files only after the reply; they
 * hold the images as displayed, without a DICOM header. Fails with `not-found` if one is not accessible: then nothing is logged.
 */
export const imageExport = route({
  method: 'POST',
  path: '/resource/image/export',
  body: z.strictObject({ imageUIDs: z.array(uuid).min(1).max(maxPictures), ...recipientFields }),
  access: unless('disable.open'),
  reply: z.object({ imageUIDs: z.array(uuid) }),
});

export const papers = ['a4', 'a3', 'letter'] as const;
export type Paper = (typeof papers)[number];
/** `fit`: as large as the paper allows. `true-size`: millimetres on paper equal millimetres of the pixel spacing. */
export const printScales = ['fit', 'true-size'] as const;
export type PrintScale = (typeof printScales)[number];
/**
 * What changes an image besides its window; named on the print. `mirrored` only outside a mount, whose slots have their own orientation;
 * `state`: shown with a presentation state.
 */
export const processings = [
  'noise',
  'sharpened',
  'smoothed',
  'equalised',
  'inverted',
  'gamma',
  'palette',
  'mirrored',
  'state',
] as const;
export type Processing = (typeof processings)[number];
/** Where the pixel spacing comes from. */
export const spacingSources = ['calibrated', 'patient', 'stated', 'estimated', 'detector', 'film'] as const;

const length = z.number().positive().max(100_000);

export const printedPicture = z.strictObject({
  imageUID: uuid,
  /** The mount in whose slot it is displayed, which names its teeth; null for none. */
  viewsetId: uuid.nullable(),
  frame: z.number().int().min(1).max(100_000),
  /** Size of the whole image as displayed (turned), in pixel widths. The file of the picture has the same shape, with as many pixels or fewer. */
  width: length,
  height: length,
  /** Millimetres per pixel width and their source; null without a valid spacing, which excludes true size. */
  spacing: z.strictObject({ mmPerPixel: z.number().positive().max(100), source: z.enum(spacingSources) }).nullable(),
  processing: z.array(z.enum(processings)).max(processings.length),
  /** Turned or mirrored against the file, so that its sides are not known. */
  turned: z.boolean(),
});
export type PrintedPicture = z.infer<typeof printedPicture>;

export const printRequest = z.strictObject({
  language: z.enum(['sv', 'en', 'da', 'no']),
  notation: z.enum(toothNotations),
  paper: z.enum(papers),
  scale: z.enum(printScales),
  /** The printed mount and the version that is displayed; null for images alone or side by side. */
  viewset: z.strictObject({ id: uuid, version: recordVersion }).nullable(),
  pictures: z.array(printedPicture).min(1).max(maxPictures),
  withPersonalNumber: z.boolean(),
  /** Prints the signed notes of the images and of the mount. */
  withNotes: z.boolean(),
  ...recipientFields,
});
export type PrintRequest = z.infer<typeof printRequest>;

/**
 * A PDF/A of images as displayed: multipart with the field `print` (a `printRequest` as JSON), then one part `files` for each picture in its
 * order, PNG or JPEG. Names, dates and teeth are those of the archive. Each image is logged before the first byte is sent. Fails with
 * `not-found` if an image is not accessible, with `conflict` when the mount was changed, with `picture-not-readable` when a picture is not as
 * declared, and with `invalid-request` when true size is not possible.
 */
export const imagePrint = route({
  method: 'POST',
  path: '/resource/image/print',
  multipart: 'files',
  body: z.object({ print: z.string() }),
  access: unless('disable.open'),
  reply: bytes,
});
