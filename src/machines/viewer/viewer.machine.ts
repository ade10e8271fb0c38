import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { unsavedOf } from './saving.rules.ts';
import { emptyRoom, type ImageSettings, settingsOf, type ViewerTool } from './viewer.rules.ts';
import { chart, framesOf } from './viewer.setup.ts';

/** Which image is in hand, what the left button does, how every image was left, and that the archive gets to know. */
export const viewerMachine = chart.createMachine({
  id: 'viewer',
  context: { imageUid: null, tool: 'window', loaded: {}, room: emptyRoom, attempt: 0 },
  on: {
    'images.shown': { actions: { type: 'show', params: ({ event }) => event.places } },
    'changes.restored': {
      actions: [{ type: 'restore', params: ({ event }) => event.changes }, 'tellChange'],
    },
    'tool.chosen': { actions: { type: 'take', params: ({ event }) => event.tool } },
  },
  type: 'parallel',
  states: {
    hand: {
      initial: 'empty',
      on: {
        'image.opened': [
          {
            guard: { type: 'otherLoaded', params: ({ event }) => event.imageUid },
            target: '.ready',
            actions: { type: 'takeInHand', params: ({ event }) => event.imageUid },
          },
          {
            guard: { type: 'otherFailed', params: ({ event }) => event.imageUid },
            target: '.failed',
            actions: { type: 'takeInHand', params: ({ event }) => event.imageUid },
          },
          {
            guard: { type: 'otherImage', params: ({ event }) => event.imageUid },
            target: '.loading',
            actions: { type: 'takeInHand', params: ({ event }) => event.imageUid },
          },
        ],
        'image.loaded': { actions: { type: 'rememberLoaded', params: ({ event }) => event } },
        'image.failed': {
          actions: { type: 'rememberLoaded', params: ({ event }) => ({ imageUid: event.imageUid, frames: 'failed' }) },
        },
        'viewer.closed': { target: '.empty', actions: 'leaveStage' },
      },
      states: {
        empty: {},
        loading: {
          on: {
            'image.loaded': {
              guard: { type: 'inHand', params: ({ event }) => event.imageUid },
              target: 'ready',
              actions: { type: 'rememberLoaded', params: ({ event }) => event },
            },
            'image.failed': {
              guard: { type: 'inHand', params: ({ event }) => event.imageUid },
              target: 'failed',
              actions: {
                type: 'rememberLoaded',
                params: ({ event }) => ({ imageUid: event.imageUid, frames: 'failed' }),
              },
            },
          },
        },
        failed: {
          on: {
            'load.retried': { target: 'loading', actions: 'retry' },
            'image.loaded': {
              guard: { type: 'inHand', params: ({ event }) => event.imageUid },
              target: 'ready',
              actions: { type: 'rememberLoaded', params: ({ event }) => event },
            },
          },
        },
        ready: {
          initial: 'settled',
          on: {
            'image.failed': {
              guard: { type: 'inHand', params: ({ event }) => event.imageUid },
              target: 'failed',
              actions: {
                type: 'rememberLoaded',
                params: ({ event }) => ({ imageUid: event.imageUid, frames: 'failed' }),
              },
            },
            'display.settled': {
              guard: { type: 'onStage', params: ({ event }) => event.imageUid },
              target: '.settled',
              actions: [
                {
                  type: 'rememberStep',
                  params: ({ event: { imageUid, display, view } }) => ({ imageUid, display, view }),
                },
                'tellChange',
              ],
            },
            'marks.settled': {
              guard: { type: 'onStage', params: ({ event }) => event.imageUid },
              target: '.settled',
              actions: [
                { type: 'rememberStep', params: ({ event: { imageUid, marks } }) => ({ imageUid, marks }) },
                'tellChange',
              ],
            },
            'image.calibrated': {
              guard: { type: 'onStage', params: ({ event }) => event.imageUid },
              target: '.settled',
              actions: [
                {
                  type: 'rememberStep',
                  params: ({ event: { imageUid, calibration } }) => ({ imageUid, calibration }),
                },
                'tellChange',
              ],
            },
          },
          states: {
            settled: {
              on: {
                'gesture.begun': 'moving',
                'frame.chosen': {
                  guard: { type: 'frameExists', params: ({ event }) => event.frame },
                  actions: { type: 'rememberFrame', params: ({ event }) => event.frame },
                },
                'image.reset': {
                  guard: 'anyChange',
                  actions: [
                    {
                      type: 'rememberStep',
                      params: ({ context }) => ({ imageUid: context.imageUid ?? '', display: null, view: 'fit' }),
                    },
                    'tellChange',
                  ],
                },
                'change.undone': { guard: 'anyPast', actions: ['undo', 'tellChange'] },
                'change.redone': { guard: 'anyFuture', actions: ['redo', 'tellChange'] },
              },
            },
            /** The stage draws by itself; buttons wait for the hand to come to rest. */
            moving: {},
          },
        },
      },
    },
    keeping: {
      initial: 'kept',
      states: {
        kept: { always: { guard: 'anyUnsaved', target: 'resting' } },
        /** A person is perhaps not done with an image: every further change begins the wait anew. */
        resting: {
          after: { saveDelay: 'saving' },
          on: {
            'settings.changed': { target: 'resting', reenter: true },
            'viewer.closed': 'saving',
            'page.hidden': 'saving',
          },
        },
        saving: {
          invoke: {
            id: 'saveChanges',
            src: 'saveChanges',
            input: ({ context }) => unsavedOf(context.room),
            onDone: [
              {
                guard: { type: 'anyDelayed', params: ({ event }) => event.output },
                target: 'delayed',
                actions: { type: 'takeOutcomes', params: ({ event }) => event.output },
              },
              { target: 'kept', actions: { type: 'takeOutcomes', params: ({ event }) => event.output } },
            ],
            onError: 'delayed',
          },
        },
        /** The archive does not answer. Nothing is forgotten. */
        delayed: {
          after: { retryDelay: 'saving' },
          on: { 'viewer.closed': 'saving', 'page.hidden': 'saving' },
        },
      },
    },
  },
});

export type ViewerActor = ActorRefFrom<typeof viewerMachine>;
type ViewerSnapshot = SnapshotFrom<typeof viewerMachine>;

/** The image in hand. */
export const selectInHand = (snapshot: ViewerSnapshot): string | null => snapshot.context.imageUid;
export const selectImageState = (snapshot: ViewerSnapshot): 'empty' | 'loading' | 'failed' | 'ready' =>
  typeof snapshot.value.hand === 'string' ? snapshot.value.hand : 'ready';
export const selectTool = (snapshot: ViewerSnapshot): ViewerTool => snapshot.context.tool;
/** How an image on the stage is to be shown; the same object until it changes. */
export const selectSettingsOf =
  (imageUid: string | null) =>
  (snapshot: ViewerSnapshot): ImageSettings =>
    settingsOf(snapshot.context.room, imageUid);
export const selectCanReset = (snapshot: ViewerSnapshot): boolean => snapshot.can({ type: 'image.reset' });
export const selectCanUndo = (snapshot: ViewerSnapshot): boolean => snapshot.can({ type: 'change.undone' });
export const selectCanRedo = (snapshot: ViewerSnapshot): boolean => snapshot.can({ type: 'change.redone' });
/** Frames of the image in hand; 0 until it is loaded. */
export const selectFrames = ({ context }: ViewerSnapshot): number => framesOf(context, context.imageUid);
/** Something is on its way to the archive, or about to be. */
export const selectIsSaving = (snapshot: ViewerSnapshot): boolean => !snapshot.matches({ keeping: 'kept' });
/** The archive does not answer: changes wait here until it does. */
export const selectIsSaveDelayed = (snapshot: ViewerSnapshot): boolean => snapshot.matches({ keeping: 'delayed' });
