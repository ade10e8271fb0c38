import { z } from 'zod';
import { uuid } from './bounds.ts';
import { imagePoint } from './displays.ts';
import { route, unless } from './route.ts';

/** Frames, from 1, that a part of the state is for; null: all. */
export const stateFrames = z.array(z.number().int().min(1)).nullable();

const colour = z.string().regex(/^#[0-9a-f]{6}$/);

export const stateTable = z.object({
  /** The input value of the first entry, as written: signed or not depends on the image. */
  firstInput: z.number().int(),
  values: z.array(z.number().int()),
  bits: z.number().int(),
});
export type StateTable = z.infer<typeof stateTable>;

const voi = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('window'),
    centre: z.number(),
    width: z.number().positive(),
    function: z.enum(['LINEAR', 'LINEAR_EXACT', 'SIGMOID']),
  }),
  z.object({ kind: z.literal('lut'), lut: stateTable }),
]);

/** Stored value to display value (PS3.4 N.2). It replaces what the image says of modality, VOI and inversion. */
export const stateGrey = z.object({
  modality: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('rescale'), slope: z.number(), intercept: z.number() }),
    z.object({ kind: z.literal('lut'), lut: stateTable }),
  ]),
  /** The first one of a frame applies; without one, all modality values from black to white. */
  vois: z.array(z.object({ frames: stateFrames, voi })),
  /** Presentation LUT; null: the shape applies. */
  presentationLut: stateTable.nullable(),
  /** Presentation LUT Shape INVERSE. */
  inverted: z.boolean(),
});
export type StateGrey = z.infer<typeof stateGrey>;

/** The image outside each of them is covered. */
export const stateShutter = z.discriminatedUnion('shape', [
  z.object({ shape: z.literal('rectangle'), from: imagePoint, to: imagePoint }),
  z.object({ shape: z.literal('circle'), centre: imagePoint, radius: z.number() }),
  z.object({ shape: z.literal('polygon'), points: z.array(imagePoint) }),
]);
export type StateShutter = z.infer<typeof stateShutter>;

/** A bitmap whose marked pixels are covered, cut to these. */
export const stateBitmap = z.object({
  x: z.number().int().min(0),
  y: z.number().int().min(0),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** Lengths of alternating runs of pixels, row by row, the first of those that are not covered. */
  runs: z.array(z.number().int().min(0)),
});
export type StateBitmap = z.infer<typeof stateBitmap>;

export const stateGraphic = z.object({
  /** `curve`: a smooth line through the points. `circle`: centre, then a point on it. `ellipse`: the ends of one axis, then of the other. */
  kind: z.enum(['point', 'polyline', 'curve', 'circle', 'ellipse']),
  points: z.array(imagePoint),
  filled: z.boolean(),
});
export type StateGraphic = z.infer<typeof stateGraphic>;

export const stateText = z.object({
  /** Lines are separated by \n. */
  text: z.string(),
  /** Two opposite corners; null without a box. */
  box: z.tuple([imagePoint, imagePoint]).nullable(),
  align: z.enum(['left', 'center', 'right']),
  anchor: imagePoint.nullable(),
  /** A line joins the box and the anchor. */
  isAnchored: z.boolean(),
});
export type StateText = z.infer<typeof stateText>;

/** The part of the image that fills the screen, or is shown at a size of its own. */
export const stateArea = z.object({
  frames: stateFrames,
  from: imagePoint,
  to: imagePoint,
  /** Device pixels per image pixel; null: as large as the screen allows. */
  magnification: z.number().positive().nullable(),
  /** Millimetres on the screen equal those of the object. */
  isTrueSize: z.boolean(),
});
export type StateArea = z.infer<typeof stateArea>;

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
  frames: stateFrames,
  /** Degrees clockwise, after the flip, as in a display. */
  rotation: z.number(),
  horizontalFlip: z.boolean(),
  /** The first one of a frame applies; without one the whole image is shown. An older server, which may reply during an upgrade, names none. */
  areas: z.array(stateArea).default([]),
  /** Null in a colour state. */
  grey: stateGrey.nullable(),
  shutters: z.array(stateShutter),
  /** Not named by an older server either. */
  bitmapShutter: stateBitmap.nullable().default(null),
  shutterColour: colour,
  /** In the order of their layers, the lowest first. `colour` null: none is recommended. */
  annotations: z.array(
    z.object({
      frames: stateFrames,
      colour: colour.nullable(),
      graphics: z.array(stateGraphic),
      texts: z.array(stateText),
    }),
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
