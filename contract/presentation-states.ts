import { z } from 'zod';
import { uuid } from './bounds.ts';
import { route, unless } from './route.ts';

/** An image point in image pixels: 0, 0 is the top left corner of the first pixel of the stored picture. */
const point = z.tuple([z.number(), z.number()]);
export type StatePoint = z.infer<typeof point>;

/** Frames, from 1, that a part of the state is for; null: all. */
const frames = z.array(z.number().int().min(1)).nullable();

const colour = z.string().regex(/^#[0-9a-f]{6}$/);

const lookupTable = z.object({
  /** The input value of the first entry, as written: signed or not depends on the image. */
  firstInput: z.number().int(),
  values: z.array(z.number().int()),
  bits: z.number().int(),
});
export type StateTable = z.infer<typeof lookupTable>;

const voi = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('window'),
    centre: z.number(),
    width: z.number().positive(),
    function: z.enum(['LINEAR', 'LINEAR_EXACT', 'SIGMOID']),
  }),
  z.object({ kind: z.literal('lut'), lut: lookupTable }),
]);

/** Stored value to display value (PS3.4 N.2). It replaces what the image says of modality, VOI and inversion. */
const grey = z.object({
  modality: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('rescale'), slope: z.number(), intercept: z.number() }),
    z.object({ kind: z.literal('lut'), lut: lookupTable }),
  ]),
  /** The first one of a frame applies; without one, all modality values from black to white. */
  vois: z.array(z.object({ frames, voi })),
  /** Presentation LUT; null: the shape applies. */
  presentationLut: lookupTable.nullable(),
  /** Presentation LUT Shape INVERSE. */
  inverted: z.boolean(),
});
export type StateGrey = z.infer<typeof grey>;

/** The image outside each of them is covered. */
const shutter = z.discriminatedUnion('shape', [
  z.object({ shape: z.literal('rectangle'), from: point, to: point }),
  z.object({ shape: z.literal('circle'), centre: point, radius: z.number() }),
  z.object({ shape: z.literal('polygon'), points: z.array(point) }),
]);
export type StateShutter = z.infer<typeof shutter>;

/** A bitmap whose marked pixels are covered, cut to these. */
const bitmapShutter = z.object({
  x: z.number().int().min(0),
  y: z.number().int().min(0),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** Lengths of alternating runs of pixels, row by row, the first of those that are not covered. */
  runs: z.array(z.number().int().min(0)),
});
export type StateBitmap = z.infer<typeof bitmapShutter>;

const graphic = z.object({
  /** `curve`: a smooth line through the points. `circle`: centre, then a point on it. `ellipse`: the ends of one axis, then of the other. */
  kind: z.enum(['point', 'polyline', 'curve', 'circle', 'ellipse']),
  points: z.array(point),
  filled: z.boolean(),
});
export type StateGraphic = z.infer<typeof graphic>;

const text = z.object({
  /** Lines are separated by \n. */
  text: z.string(),
  /** Two opposite corners; null without a box. */
  box: z.tuple([point, point]).nullable(),
  align: z.enum(['left', 'center', 'right']),
  anchor: point.nullable(),
  /** A line joins the box and the anchor. */
  isAnchored: z.boolean(),
});
export type StateText = z.infer<typeof text>;

/** The part of the image that fills the screen, or is shown at a size of its own. */
const area = z.object({
  frames,
  from: point,
  to: point,
  /** Device pixels per image pixel; null: as large as the screen allows. */
  magnification: z.number().positive().nullable(),
  /** Millimetres on the screen equal those of the object. */
  isTrueSize: z.boolean(),
});
export type StateArea = z.infer<typeof area>;

/** What of a state is not shown. */
export const notShownParts = [
  'bitmap-shutter',
  'overlay',
  'mask',
  'displayed-area',
  'annotations',
  'transform',
  'colour-profile',
] as const;

export const presentationState = z.object({
  /** The archive's own id of the stored object. */
  id: uuid,
  label: z.string().nullable(),
  description: z.string().nullable(),
  /** Person name as in the file (PS3.5 6.2). */
  creator: z.string().nullable(),
  /** `YYYY-MM-DD`, or with a local time. */
  createdAt: z.string().nullable(),
  /** Frames of the image that the state is for. */
  frames,
  /** Degrees clockwise, after the flip, as in a display. */
  rotation: z.number(),
  horizontalFlip: z.boolean(),
  /** The first one of a frame applies; without one the whole image is shown. An older server, which may reply during an upgrade, names none. */
  areas: z.array(area).default([]),
  /** Null in a colour state. */
  grey: grey.nullable(),
  shutters: z.array(shutter),
  /** Not named by an older server either. */
  bitmapShutter: bitmapShutter.nullable().default(null),
  shutterColour: colour,
  /** In the order of their layers, the lowest first. `colour` null: none is recommended. */
  annotations: z.array(
    z.object({ frames, colour: colour.nullable(), graphics: z.array(graphic), texts: z.array(text) }),
  ),
  notShown: z.array(z.enum(notShownParts)),
});
export type PresentationState = z.infer<typeof presentationState>;

/** Presentation states of the patient that refer to the image, newest first. A state never applies to images of another patient. */
export const presentationStates = route({
  method: 'GET',
  path: '/resource/presentation-state/image/:id',
  params: z.object({ id: uuid }),
  access: unless('disable.open'),
  reply: z.object({
    states: z.array(presentationState),
    /** Number of states of the patient whose files cannot be read; they may refer to this image. */
    unreadable: z.number().int(),
    /** Number of pseudo-color states that refer to the image and cannot be shown. Not named by an older server. */
    unsupported: z.number().int().default(0),
  }),
});
