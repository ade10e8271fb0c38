import { type ActorRefFrom, assign, type SnapshotFrom, setup } from 'xstate';
import { type Display, plainDisplay } from '../../../contract/displays.ts';
import {
  type CameraView,
  type ImageSettings,
  isFresh,
  type SettingsByImage,
  settingsOf,
  type ViewerTool,
  withSettings,
  withStep,
} from './viewer.rules.ts';

export type ViewerEvent =
  | { type: 'image.opened'; imageUid: string }
  | { type: 'image.loaded'; imageUid: string; frames: number }
  | { type: 'image.failed'; imageUid: string }
  | { type: 'load.retried' }
  | { type: 'viewer.closed' }
  | { type: 'tool.chosen'; tool: ViewerTool }
  | { type: 'gesture.begun' }
  /** A gesture, a key or a button came to rest. */
  | { type: 'display.settled'; imageUid: string; display: Display; view: CameraView }
  | { type: 'frame.chosen'; frame: number }
  /** Grey values, turn, flip and camera as the file asks. */
  | { type: 'image.reset' }
  | { type: 'change.undone' };

interface ViewerContext {
  imageUid: string | null;
  /** Frames of the open image; 0 until it is loaded. */
  frames: number;
  tool: ViewerTool;
  /** How each image was left, so that going back restores it. */
  settings: SettingsByImage;
  /** Earlier settings of the open image, the latest last. */
  history: readonly ImageSettings[];
  /** Counts attempts to load, so that a stage sees a retry. */
  attempt: number;
}

/** Which image is open, what the left button does, and how every image was left. */
export const viewerMachine = setup({
  types: { context: {} as ViewerContext, events: {} as ViewerEvent },
  guards: {
    openImage: ({ context }, imageUid: string) => imageUid === context.imageUid,
    otherImage: ({ context }, imageUid: string) => imageUid !== context.imageUid,
    anyChange: ({ context }) => !isFresh(settingsOf(context.settings, context.imageUid)),
    anyHistory: ({ context }) => context.history.length > 0,
    frameExists: ({ context }, frame: number) =>
      Number.isInteger(frame) &&
      frame >= 1 &&
      frame <= context.frames &&
      frame !== settingsOf(context.settings, context.imageUid).frame,
  },
  actions: {
    openImage: assign({ imageUid: (_, imageUid: string) => imageUid, frames: 0, history: [] }),
    rememberStep: assign({
      history: ({ context }) => withStep(context.history, settingsOf(context.settings, context.imageUid)),
    }),
    rememberSettings: assign({
      settings: ({ context }, change: Partial<ImageSettings>) =>
        withSettings(context.settings, context.imageUid, change),
    }),
  },
}).createMachine({
  id: 'viewer',
  context: { imageUid: null, frames: 0, tool: 'window', settings: {}, history: [], attempt: 0 },
  initial: 'empty',
  on: {
    'image.opened': {
      guard: { type: 'otherImage', params: ({ event }) => event.imageUid },
      target: '.loading',
      actions: { type: 'openImage', params: ({ event }) => event.imageUid },
    },
    'tool.chosen': { actions: assign({ tool: ({ event }) => event.tool }) },
    'viewer.closed': { target: '.empty', actions: assign({ imageUid: null, frames: 0, history: [] }) },
  },
  states: {
    empty: {},
    loading: {
      on: {
        'image.loaded': {
          guard: { type: 'openImage', params: ({ event }) => event.imageUid },
          target: 'ready',
          actions: assign({ frames: ({ event }) => event.frames }),
        },
        'image.failed': { guard: { type: 'openImage', params: ({ event }) => event.imageUid }, target: 'failed' },
      },
    },
    failed: {
      on: { 'load.retried': { target: 'loading', actions: assign({ attempt: ({ context }) => context.attempt + 1 }) } },
    },
    ready: {
      initial: 'settled',
      on: {
        'image.failed': { guard: { type: 'openImage', params: ({ event }) => event.imageUid }, target: 'failed' },
        'display.settled': {
          guard: { type: 'openImage', params: ({ event }) => event.imageUid },
          target: '.settled',
          actions: [
            'rememberStep',
            { type: 'rememberSettings', params: ({ event }) => ({ display: event.display, view: event.view }) },
          ],
        },
      },
      states: {
        settled: {
          on: {
            'gesture.begun': 'moving',
            'frame.chosen': {
              guard: { type: 'frameExists', params: ({ event }) => event.frame },
              actions: { type: 'rememberSettings', params: ({ event }) => ({ frame: event.frame }) },
            },
            'image.reset': {
              guard: 'anyChange',
              actions: ['rememberStep', { type: 'rememberSettings', params: { display: plainDisplay, view: 'fit' } }],
            },
            'change.undone': {
              guard: 'anyHistory',
              actions: [
                {
                  type: 'rememberSettings',
                  params: ({ context }) => {
                    const { display = plainDisplay, view = 'fit' } = context.history.at(-1) ?? {};
                    return { display, view };
                  },
                },
                assign({ history: ({ context }) => context.history.slice(0, -1) }),
              ],
            },
          },
        },
        /** The stage draws by itself; buttons wait for the hand to come to rest. */
        moving: {},
      },
    },
  },
});

export type ViewerActor = ActorRefFrom<typeof viewerMachine>;
type ViewerSnapshot = SnapshotFrom<typeof viewerMachine>;

export const selectImageUid = (snapshot: ViewerSnapshot): string | null => snapshot.context.imageUid;
export const selectImageState = (snapshot: ViewerSnapshot): 'empty' | 'loading' | 'failed' | 'ready' =>
  typeof snapshot.value === 'string' ? snapshot.value : 'ready';
export const selectTool = (snapshot: ViewerSnapshot): ViewerTool => snapshot.context.tool;
/** How the open image is to be shown; the same object until it changes. */
export const selectSettings = (snapshot: ViewerSnapshot): ImageSettings =>
  settingsOf(snapshot.context.settings, snapshot.context.imageUid);
export const selectFrames = (snapshot: ViewerSnapshot): number => snapshot.context.frames;
export const selectAttempt = (snapshot: ViewerSnapshot): number => snapshot.context.attempt;
export const selectCanReset = (snapshot: ViewerSnapshot): boolean => snapshot.can({ type: 'image.reset' });
export const selectCanUndo = (snapshot: ViewerSnapshot): boolean => snapshot.can({ type: 'change.undone' });
