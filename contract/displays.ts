import { z } from 'zod';
import { uuid } from './bounds.ts';
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
    version: z.number().int().min(0),
  }),
  reply: z.object({ displayVersion: z.number().int() }),
});

/** An image point in image pixels: 0, 0 is the top left corner of the first pixel of the stored picture. */
const point = z.tuple([z.number(), z.number()]);

/** A measurement. A length has two points; an angle three, its vertex in the middle. */
export const mark = z.discriminatedUnion('kind', [
  z.strictObject({
    id: uuid,
    kind: z.literal('length'),
    frame: z.number().int().min(1),
    points: z.tuple([point, point]),
  }),
  z.strictObject({
    id: uuid,
    kind: z.literal('angle'),
    frame: z.number().int().min(1),
    points: z.tuple([point, point, point]),
  }),
]);
export type Mark = z.infer<typeof mark>;

/** Calibration by a known length in the image: millimetres per pixel width. */
export const calibration = z.strictObject({ mmPerPixel: z.number().positive().max(100) });
export type Calibration = z.infer<typeof calibration>;

/** Saves all measurements and the calibration of an image. Fails with `conflict` like `displaySave`. */
export const marksSave = route({
  method: 'PUT',
  path: '/resource/image/marks',
  access: signedIn,
  body: z.strictObject({
    imageUid: uuid,
    marks: z.array(mark).max(200),
    calibration: calibration.nullable(),
    version: z.number().int().min(0),
  }),
  reply: z.object({ marksVersion: z.number().int() }),
});
