import { z } from 'zod';
import { uuid } from './bounds.ts';
import { route, signedIn } from './route.ts';

/** A window typed, dragged or preset by a person, in modality values (DICOM PS3.3 C.11.2). */
const displayWindow = z.strictObject({
  kind: z.literal('window'),
  centre: z.number(),
  width: z.number().positive(),
  function: z.enum(['LINEAR', 'LINEAR_EXACT', 'SIGMOID']),
});

/** One of the VOI LUTs that the file carries, by its place in the header (0 is the first). */
const displayLut = z.strictObject({ kind: z.literal('lut'), index: z.number().int().min(0).max(255) });

export const noiseKinds = ['none', 'median', 'bilateral'] as const;
/** How grey becomes colour: as it is, or a scale of false colours. */
export const palettes = ['grey', 'hot', 'cool', 'spectrum', 'bone'] as const;

/**
 * How one image is shown. It belongs to the image in its viewset, never to its pixels. A strength of 0 is off, 1 the most.
 * Order: noise filter, sharpness, equalisation (on stored values, once) -> modality -> VOI -> inversion -> gamma -> palette.
 */
export const display = z.strictObject({
  /** null: as the file asks. */
  voi: z.union([displayWindow, displayLut]).nullable(),
  /** Turned by a person, on top of what the file asks for (MONOCHROME1 is shown white on black either way). */
  inverted: z.boolean(),
  /** Brightens middle greys when above 1: shown = grey ^ (1 / gamma). */
  gamma: z.number().min(0.1).max(10),
  /** Degrees clockwise, after the flip. */
  rotation: z.number().min(0).lt(360),
  /** Left and right of the stored picture are swapped, before the rotation. */
  horizontalFlip: z.boolean(),
  noise: z.strictObject({ kind: z.enum(noiseKinds), strength: z.number().min(0).max(1) }),
  /** Above 0 unsharp masking, below 0 smoothing. */
  sharpness: z.number().min(-1).max(1),
  /** Contrast limited adaptive histogram equalisation. */
  equalisation: z.number().min(0).max(1),
  palette: z.enum(palettes),
});
export type Display = z.infer<typeof display>;

/** As the file asks, upright and unfiltered. */
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
 * Keeps how an image is shown: in a viewset, or by itself (`viewsetUid` null). `display` null forgets it.
 * Refused with `conflict` when `version` is not the kept one: somebody else has changed it meanwhile. 0 means that nothing was kept yet.
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

/** A known length that a person marked in the image: millimetres per width of a pixel. */
export const calibration = z.strictObject({ mmPerPixel: z.number().positive().max(100) });
export type Calibration = z.infer<typeof calibration>;

/** Keeps the measurements and the calibration of an image, all together. Refused with `conflict` like `displaySave`. */
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
