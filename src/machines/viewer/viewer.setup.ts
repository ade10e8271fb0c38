import { assign, enqueueActions, raise, setup } from 'xstate';
import type { Calibration, Display, Mark } from '../../../contract/displays.ts';
import type { Failure } from '../../services/failure.ts';
import { port } from '../port.ts';
import {
  type Change,
  isDelayed,
  isRefused,
  type Outcome,
  unsavedOf,
  withAllRestored,
  withOutcomes,
} from './saving.rules.ts';
import {
  type CameraView,
  hasFuture,
  hasPast,
  type ImagePlace,
  isFresh,
  placeOf,
  type Room,
  settingsOf,
  type ViewerTool,
  withFrame,
  withPlaces,
  withRedone,
  withStep,
  withUndone,
} from './viewer.rules.ts';

export type ViewerEvent =
  /** All images on the stage, each with what the archive says of it. Told anew whenever one of that changes. */
  | { type: 'images.shown'; places: readonly ImagePlace[] }
  /** The image in hand: alone, in a mount or in a comparison. */
  | { type: 'image.opened'; imageUid: string }
  | { type: 'image.loaded'; imageUid: string; frames: number }
  | { type: 'image.failed'; imageUid: string }
  | { type: 'load.retried' }
  | { type: 'viewer.closed' }
  /** The window went out of sight, perhaps for good. */
  | { type: 'page.hidden' }
  | { type: 'tool.chosen'; tool: ViewerTool }
  | { type: 'gesture.begun' }
  /** A gesture, a key or a button came to rest. */
  | { type: 'display.settled'; imageUid: string; display: Display; view: CameraView }
  | { type: 'marks.settled'; imageUid: string; marks: readonly Mark[] }
  | { type: 'image.calibrated'; imageUid: string; calibration: Calibration | null }
  | { type: 'frame.chosen'; frame: number }
  /** Grey values, turn, flip and camera as if nobody had changed anything; measurements stay. */
  | { type: 'image.reset' }
  /** What an earlier session could not save any more. */
  | { type: 'changes.restored'; changes: readonly Change[] }
  | { type: 'change.undone' }
  | { type: 'change.redone' }
  /** The machine to itself: a person changed something. */
  | { type: 'settings.changed' };

/** What the machine says aloud: a change was refused for good, and the image is shown as the archive has it. */
export interface ViewerEmitted {
  type: 'save.refused';
  imageUid: string;
  failure: Failure;
}

export interface ViewerContext {
  imageUid: string | null;
  tool: ViewerTool;
  /** Number of frames of each image that the stage has loaded, or that it could not. */
  loaded: Readonly<Record<string, number | 'failed'>>;
  room: Room;
  /** Counts attempts to load, so that a stage sees a retry. */
  attempt: number;
}

/** 0 until the image is loaded. */
export const framesOf = ({ loaded }: ViewerContext, imageUid: string | null): number => {
  const frames = imageUid === null ? 0 : (loaded[imageUid] ?? 0);
  return frames === 'failed' ? 0 : frames;
};

/** What the chart of the viewer uses: ports, guards, actions, delays. */
export const chart = setup({
  types: { context: {} as ViewerContext, events: {} as ViewerEvent, emitted: {} as ViewerEmitted },
  actors: {
    /** Saves each, and says of each what became of it; begins with all of them at once. */
    saveChanges: port<readonly Outcome[], readonly Change[]>('saveChanges'),
  },
  guards: {
    inHand: ({ context }, imageUid: string) => imageUid === context.imageUid,
    otherImage: ({ context }, imageUid: string) => imageUid !== context.imageUid,
    otherLoaded: ({ context }, imageUid: string) => imageUid !== context.imageUid && framesOf(context, imageUid) > 0,
    otherFailed: ({ context }, imageUid: string) =>
      imageUid !== context.imageUid && context.loaded[imageUid] === 'failed',
    onStage: ({ context }, imageUid: string) => placeOf(context.room, imageUid) !== null,
    anyChange: ({ context }) => !isFresh(context.room, context.imageUid),
    anyPast: ({ context }) => hasPast(context.room, context.imageUid),
    anyFuture: ({ context }) => hasFuture(context.room, context.imageUid),
    frameExists: ({ context }, frame: number) =>
      Number.isInteger(frame) &&
      frame >= 1 &&
      frame <= framesOf(context, context.imageUid) &&
      placeOf(context.room, context.imageUid) !== null &&
      frame !== settingsOf(context.room, context.imageUid).frame,
    anyUnsaved: ({ context }) => unsavedOf(context.room).length > 0,
    anyDelayed: (_, outcomes: readonly Outcome[]) => outcomes.some(isDelayed),
  },
  actions: {
    show: assign({ room: ({ context }, places: readonly ImagePlace[]) => withPlaces(context.room, places) }),
    take: assign({ tool: (_, tool: ViewerTool) => tool }),
    takeInHand: assign({ imageUid: (_, imageUid: string) => imageUid }),
    rememberLoaded: assign({
      loaded: ({ context }, { imageUid, frames }: { imageUid: string; frames: number | 'failed' }) => ({
        ...context.loaded,
        [imageUid]: frames,
      }),
    }),
    rememberStep: assign({
      room: ({ context }, { imageUid, ...step }: { imageUid: string } & Parameters<typeof withStep>[2]) =>
        withStep(context.room, imageUid, step),
    }),
    rememberFrame: assign({
      room: ({ context }, frame: number) => withFrame(context.room, context.imageUid ?? '', frame),
    }),
    undo: assign({ room: ({ context }) => withUndone(context.room, context.imageUid ?? '') }),
    redo: assign({ room: ({ context }) => withRedone(context.room, context.imageUid ?? '') }),
    restore: assign({
      room: ({ context }, changes: readonly Change[]) => withAllRestored(context.room, changes),
    }),
    tellChange: raise({ type: 'settings.changed' }),
    leaveStage: assign({
      imageUid: null,
      loaded: {},
      room: ({ context }) => ({ ...context.room, places: [] }),
    }),
    retry: assign({ loaded: {}, attempt: ({ context }) => context.attempt + 1 }),
    takeOutcomes: enqueueActions(({ context, enqueue }, outcomes: readonly Outcome[]) => {
      enqueue.assign({ room: withOutcomes(context.room, outcomes) });
      for (const { change, failure } of outcomes.filter(isRefused))
        enqueue.emit({ type: 'save.refused', imageUid: change.imageUid, failure });
    }),
  },
  /** A change rests for this long before it is saved; what could not be sent is sent again. */
  delays: { saveDelay: 500, retryDelay: 5_000 },
});
