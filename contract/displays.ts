import { z } from 'zod';
import { moment, recordVersion, uuid } from './bounds.ts';
import { route, signedIn } from './route.ts';

/** A window chosen by the user, in modality values (DICOM PS3.3 C.11.2). */
const displayWindow = z.strictObject({
  kind: z.literal('window'),
  centre: z.number(),
  width: z.number().positive(),
  function: z.enum(['LINEAR', 'LINEAR_EXACT', 'SIGMOID']),
});

/** One of the VOI LUTs of the file, by its index in the header (from 0). */
const displayLut = z.strictObject({ kind: z.literal('lut'), index: z.number().int().min(0).max(255) });

export const noiseKinds = ['none', 'median', 'bilateral'] as const;
/** Palette: greyscale or pseudo-colour. */
export const palettes = ['grey', 'hot', 'cool', 'spectrum', 'bone'] as const;

/**
 * Display settings of one image, for the image in a viewset. They never change its pixels. A strength of 0 is off, 1 the maximum.
 * Order: noise filter, sharpness, equalisation (on stored values, once) -> modality -> VOI -> inversion -> gamma -> palette.
 */
export const display = z.strictObject({
  /** null: the default of the file. */
  voi: z.union([displayWindow, displayLut]).nullable(),
  /** Inversion by the user, in addition to that of the file (MONOCHROME1 is shown correctly without it). */
  inverted: z.boolean(),
  /** Brightens mid-tones when above 1: output = input ^ (1 / gamma). */
  gamma: z.number().min(0.1).max(10),
  /** Degrees clockwise, after the flip. */
  rotation: z.number().min(0).lt(360),
  /** Horizontal flip of the stored picture, before the rotation. */
  horizontalFlip: z.boolean(),
  noise: z.strictObject({ kind: z.enum(noiseKinds), strength: z.number().min(0).max(1) }),
  /** Above 0 unsharp masking, below 0 smoothing. */
  sharpness: z.number().min(-1).max(1),
  /** Contrast limited adaptive histogram equalisation. */
  equalisation: z.number().min(0).max(1),
  palette: z.enum(palettes),
});
export type Display = z.infer<typeof display>;

/** The default display: VOI of the file, not rotated, unfiltered. */
export const plainDisplay: Display = {
  voi: null,
  inverted: false,
  gamma: 1,
  rotation: 0,
  horizontalFlip: false,
  noise: { kind: 'none', strength: 0 },
  sharpness: 0,
  equalisation: 0,
  palette: 'grey',
};

/**
 * Saves the display of an image, in a viewset or outside (`viewsetUid` null). `display` null deletes it.
 * Fails with `conflict` when `version` is not the stored one: another user has changed it. 0 means that nothing was stored yet.
 */
export const displaySave = route({
  method: 'PUT',
  path: '/resource/viewset/image/display',
  access: signedIn,
  body: z.strictObject({
    viewsetUid: uuid.nullable(),
    imageUid: uuid,
    display: display.nullable(),
    version: recordVersion,
  }),
  reply: z.object({ displayVersion: z.number().int() }),
});

/** An image point in image pixels: 0, 0 is the top left corner of the first pixel of the stored picture. */
export const imagePoint = z.tuple([z.number(), z.number()]);
export const twoPoints = z.tuple([imagePoint, imagePoint]);
export type ImagePoint = z.infer<typeof imagePoint>;

/** Most points of one mark, and most marks of one image. */
export const maxMarkPoints = 500;
export const maxMarks = 200;
export const maxMarkText = 200;

const points = (least: number) => z.array(imagePoint).min(least).max(maxMarkPoints);
const place = { id: uuid, frame: z.number().int().min(1) };

/** A measurement of two or three points. A length has two points; an angle three, its vertex in the middle. */
export const measurement = z.discriminatedUnion('kind', [
  z.strictObject({ ...place, kind: z.literal('length'), points: twoPoints }),
  z.strictObject({ ...place, kind: z.literal('angle'), points: z.tuple([imagePoint, imagePoint, imagePoint]) }),
]);

/** Marks of the kinds that pages and servers before 0.3 do not know. */
export const annotation = z.discriminatedUnion('kind', [
  /** From the tail to the head. */
  z.strictObject({ ...place, kind: z.literal('arrow'), points: twoPoints }),
  /** Its top left corner is at the point, whatever the rotation of the image. Lines are separated by \n. */
  z.strictObject({
    ...place,
    kind: z.literal('text'),
    points: z.tuple([imagePoint]),
    text: z
      .string()
      .max(maxMarkText)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: jsonb cannot store NUL
      .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f]*$/)
      .regex(/\S/),
  }),
  /** Two opposite corners, along the rows and columns of the image. */
  z.strictObject({ ...place, kind: z.literal('rectangle'), points: twoPoints }),
  /** Two opposite corners of its bounding rectangle, along the rows and columns of the image. */
  z.strictObject({ ...place, kind: z.literal('ellipse'), points: twoPoints }),
  z.strictObject({ ...place, kind: z.literal('freehand'), points: points(2) }),
  /** The sum of the lengths of its segments is measured. */
  z.strictObject({ ...place, kind: z.literal('polyline'), points: points(2) }),
  /** A closed polygon; the last point is joined to the first. */
  z.strictObject({ ...place, kind: z.literal('area'), points: points(3) }),
  /** The angle between the line of the first two points and that of the last two. */
  z.strictObject({
    ...place,
    kind: z.literal('lineAngle'),
    points: z.tuple([imagePoint, imagePoint, imagePoint, imagePoint]),
  }),
  /** The distance from the first to the second point by that from the first to the third: cementoenamel junction, bone, apex. */
  z.strictObject({ ...place, kind: z.literal('ratio'), points: z.tuple([imagePoint, imagePoint, imagePoint]) }),
  /** The pixel values along a line. */
  z.strictObject({ ...place, kind: z.literal('profile'), points: twoPoints }),
]);
export type Annotation = z.infer<typeof annotation>;
export type Measurement = z.infer<typeof measurement>;

export const mark = z.discriminatedUnion('kind', [...measurement.options, ...annotation.options]);
export type Mark = z.infer<typeof mark>;
export const isMeasurement = (one: Mark): one is Measurement => one.kind === 'length' || one.kind === 'angle';
export const isAnnotation = (one: Mark): one is Annotation => !isMeasurement(one);

/** An annotation as read: one of a later version has a kind that this version does not know, and stays on the server as it is. */
export const storedAnnotation = z.union([annotation, z.looseObject({ id: uuid, kind: z.string() })]);
export type StoredAnnotation = z.infer<typeof storedAnnotation>;

/** Who drew or last changed a mark, and when. Set by the server; marks of older servers have none. */
export const markAuthor = z.object({ markId: uuid, accountId: uuid, name: z.string(), at: moment });
export type MarkAuthor = z.infer<typeof markAuthor>;

/** Calibration by a known length in the image: millimetres per pixel width. */
export const calibration = z.strictObject({ mmPerPixel: z.number().positive().max(100) });
export type Calibration = z.infer<typeof calibration>;

/**
 * Saves all measurements and the calibration of an image, and the annotations that changed. Fails with `conflict` like `displaySave`.
 * Annotations that the body does not name stay: a page that does not know them must not remove them.
 */
export const marksSave = route({
  method: 'PUT',
  path: '/resource/image/marks',
  access: signedIn,
  body: z.strictObject({
    imageUid: uuid,
    marks: z.array(measurement).max(maxMarks),
    /** New and changed ones. */
    annotations: z.array(annotation).max(maxMarks).optional(),
    deletedAnnotations: z.array(uuid).max(maxMarks).optional(),
    calibration: calibration.nullable(),
    version: recordVersion,
  }),
  reply: z.object({ marksVersion: z.number().int() }),
});
