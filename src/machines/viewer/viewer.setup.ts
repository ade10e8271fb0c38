import { assign, enqueueActions, raise, setup } from 'xstate';
import type { Calibration, Display, Mark } from '../../../contract/displays.ts';
import type { Failure } from '../../services/failure.ts';
import { port } from '../port.ts';
import { withRedone, withUndone } from './history.rules.ts';
import {
  isSameStage,
  linkedUnsavedOf,
  withDisplaySettled,
  withLinkedDiscarded,
  withLinkedSaved,
  withoutStageImages,
  withStageImages,
} from './linked.rules.ts';
import { isMarkAdded } from './marks.rules.ts';
import {
  type Change,
  isDelayed,
  isRejected,
  type Outcome,
  unsavedOf,
  withAllRestored,
  withOutcomes,
} from './saving.rules.ts';
import {
  type CameraView,
  type FollowedImage,
  hasFuture,
  hasPast,
  isFresh,
  type StageImage,
  settingsOf,
  stageImageOf,
  type ViewerTool,
  type Workspace,
  withFrame,
  withStep,
} from './viewer.rules.ts';

export type ViewerEvent =
  /** All images on the stage with their data from the archive. Sent again whenever it changes. */
  | { type: 'images.shown'; images: readonly StageImage[] }
  /** The active image: single, in a mount or in a comparison. */
  | { type: 'image.opened'; imageUid: string }
  | { type: 'image.loaded'; imageUid: string; frames: number }
  | { type: 'image.failed'; imageUid: string }
  | { type: 'load.retried' }
  | { type: 'viewer.closed' }
  /** The page was hidden and may be discarded. */
  | { type: 'page.hidden' }
  | { type: 'tool.chosen'; tool: ViewerTool }
  | { type: 'gesture.begun' }
  /** A gesture, key or button changed the display. */
  | {
      type: 'display.settled';
      imageUid: string;
      display: Display;
      view: CameraView;
      /** Linked images after they followed. */
      followed?: readonly FollowedImage[];
    }
  /** Windows followed by linked images are saved, or discarded. */
  | { type: 'followed.confirmed' }
  | { type: 'followed.discarded' }
  | { type: 'marks.settled'; imageUid: string; marks: readonly Mark[] }
  /** All marks of all images are hidden, or shown again. */
  | { type: 'marks.hidden' }
  | { type: 'marks.shown' }
  /** The page of the patient was left. */
  | { type: 'patient.closed' }
  | { type: 'image.calibrated'; imageUid: string; calibration: Calibration | null }
  | { type: 'frame.chosen'; frame: number }
  /** Resets window, rotation, flip and view; measurements stay. */
  | { type: 'image.reset' }
  /** Changes that an earlier session could not save. */
  | { type: 'changes.restored'; changes: readonly Change[] }
  | { type: 'change.undone' }
  | { type: 'change.redone' }
  /** Raised by the machine after a change of the user. */
  | { type: 'settings.changed' };

/** Emitted when a change was rejected permanently; the image shows the archive's value again. */
export interface ViewerEmitted {
  type: 'save.rejected';
  imageUid: string;
  failure: Failure;
}

export interface ViewerContext {
  imageUid: string | null;
  tool: ViewerTool;
  areMarksHidden: boolean;
  /** Number of frames of each loaded image, or that loading failed. */
  loaded: Readonly<Record<string, number | 'failed'>>;
  workspace: Workspace;
  /** Number of load retries; a change makes the stage load again. */
  attempt: number;
}

/** Returns the number of frames; 0 until the image is loaded. */
export const framesOf = ({ loaded }: ViewerContext, imageUid: string | null): number => {
  const frames = imageUid === null ? 0 : (loaded[imageUid] ?? 0);
  return frames === 'failed' ? 0 : frames;
};

/** Ports, guards, actions and delays of the viewer. */
export const chart = setup({
  types: { context: {} as ViewerContext, events: {} as ViewerEvent, emitted: {} as ViewerEmitted },
  actors: {
    /** Saves all changes in parallel and returns the outcome of each. */
    saveChanges: port<readonly Outcome[], readonly Change[]>('saveChanges'),
  },
  guards: {
    isActive: ({ context }, imageUid: string) => imageUid === context.imageUid,
    otherImage: ({ context }, imageUid: string) => imageUid !== context.imageUid,
    otherLoaded: ({ context }, imageUid: string) => imageUid !== context.imageUid && framesOf(context, imageUid) > 0,
    otherFailed: ({ context }, imageUid: string) =>
      imageUid !== context.imageUid && context.loaded[imageUid] === 'failed',
    otherImages: ({ context }, stageImages: readonly StageImage[]) =>
      !isSameStage(context.workspace.stageImages, stageImages),
    onStage: ({ context }, imageUid: string) => stageImageOf(context.workspace, imageUid) !== null,
    anyChange: ({ context }) => !isFresh(context.workspace, context.imageUid),
    anyPast: ({ context }) => hasPast(context.workspace, context.imageUid),
    anyFuture: ({ context }) => hasFuture(context.workspace, context.imageUid),
    frameExists: ({ context }, frame: number) =>
      Number.isInteger(frame) &&
      frame >= 1 &&
      frame <= framesOf(context, context.imageUid) &&
      stageImageOf(context.workspace, context.imageUid) !== null &&
      frame !== settingsOf(context.workspace, context.imageUid).frame,
    areMarksShown: ({ context }) => !context.areMarksHidden,
    areMarksHidden: ({ context }) => context.areMarksHidden,
    anyFollowed: ({ context }) => linkedUnsavedOf(context.workspace).length > 0,
    anyUnsaved: ({ context }) => unsavedOf(context.workspace).length > 0,
    anyDelayed: (_, outcomes: readonly Outcome[]) => outcomes.some(isDelayed),
  },
  actions: {
    show: assign({
      workspace: ({ context }, stageImages: readonly StageImage[]) => withStageImages(context.workspace, stageImages),
    }),
    chooseTool: assign({ tool: (_, tool: ViewerTool) => tool }),
    activateImage: assign({ imageUid: (_, imageUid: string) => imageUid }),
    setLoaded: assign({
      loaded: ({ context }, { imageUid, frames }: { imageUid: string; frames: number | 'failed' }) => ({
        ...context.loaded,
        [imageUid]: frames,
      }),
    }),
    /** Applies a change as one undo step. */
    setStep: assign({
      workspace: ({ context }, { imageUid, ...step }: { imageUid: string } & Parameters<typeof withStep>[2]) =>
        withStep(context.workspace, imageUid, step),
    }),
    hideMarks: assign({ areMarksHidden: true }),
    showMarks: assign({ areMarksHidden: false }),
    /** A new mark must be visible, and the others with it. */
    showAddedMarks: assign({
      areMarksHidden: ({ context }, { imageUid, marks }: { imageUid: string; marks: readonly Mark[] }) =>
        context.areMarksHidden && !isMarkAdded(settingsOf(context.workspace, imageUid).marks, marks),
    }),
    setDisplay: assign({
      workspace: ({ context }, settled: FollowedImage & { followed?: readonly FollowedImage[] | undefined }) =>
        withDisplaySettled(context.workspace, settled, settled.followed ?? []),
    }),
    saveFollowed: assign({ workspace: ({ context }) => withLinkedSaved(context.workspace) }),
    discardFollowed: assign({ workspace: ({ context }) => withLinkedDiscarded(context.workspace) }),
    setFrame: assign({
      workspace: ({ context }, frame: number) => withFrame(context.workspace, context.imageUid ?? '', frame),
    }),
    undo: assign({ workspace: ({ context }) => withUndone(context.workspace, context.imageUid ?? '') }),
    redo: assign({ workspace: ({ context }) => withRedone(context.workspace, context.imageUid ?? '') }),
    restore: assign({
      workspace: ({ context }, changes: readonly Change[]) => withAllRestored(context.workspace, changes),
    }),
    raiseChange: raise({ type: 'settings.changed' }),
    leaveStage: assign({
      imageUid: null,
      loaded: {},
      workspace: ({ context }) => withoutStageImages(context.workspace),
    }),
    retry: assign({ loaded: {}, attempt: ({ context }) => context.attempt + 1 }),
    applyOutcomes: enqueueActions(({ context, enqueue }, outcomes: readonly Outcome[]) => {
      enqueue.assign({ workspace: withOutcomes(context.workspace, outcomes) });
      for (const { change, failure } of outcomes.filter(isRejected))
        enqueue.emit({ type: 'save.rejected', imageUid: change.imageUid, failure });
    }),
  },
  /** `saveDelay` debounces saving; `retryDelay` is the pause after a failed save. */
  delays: { saveDelay: 500, retryDelay: 5_000 },
});
