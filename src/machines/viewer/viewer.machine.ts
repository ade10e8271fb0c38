import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { linkedUnsavedOf } from './linked.rules.ts';
import { unsavedOf } from './saving.rules.ts';
import { emptyWorkspace, type ImageSettings, imageStateOf, settingsOf, type ViewerTool } from './viewer.rules.ts';
import { chart, framesOf } from './viewer.setup.ts';

/** The active image, the tool of the primary button, the state of every image, and saving it. */
export const viewerMachine = chart.createMachine({
  id: 'viewer',
  context: { imageUid: null, tool: 'window', areMarksHidden: false, loaded: {}, workspace: emptyWorkspace, attempt: 0 },
  on: {
    'images.shown': { actions: { type: 'show', params: ({ event }) => event.images } },
    'changes.restored': {
      actions: [{ type: 'restore', params: ({ event }) => event.changes }, 'raiseChange'],
    },
    'followed.confirmed': { guard: 'anyFollowed', actions: ['saveFollowed', 'raiseChange'] },
    'followed.discarded': { guard: 'anyFollowed', actions: 'discardFollowed' },
    'tool.chosen': { actions: { type: 'chooseTool', params: ({ event }) => event.tool } },
    'marks.hidden': { guard: 'areMarksShown', actions: 'hideMarks' },
    'marks.shown': { guard: 'areMarksHidden', actions: 'showMarks' },
    'patient.closed': { guard: 'areMarksHidden', actions: 'showMarks' },
  },
  type: 'parallel',
  states: {
    image: {
      initial: 'empty',
      on: {
        'image.opened': [
          {
            guard: { type: 'otherLoaded', params: ({ event }) => event.imageUid },
            target: '.ready',
            actions: { type: 'activateImage', params: ({ event }) => event.imageUid },
          },
          {
            guard: { type: 'otherFailed', params: ({ event }) => event.imageUid },
            target: '.failed',
            actions: { type: 'activateImage', params: ({ event }) => event.imageUid },
          },
          {
            guard: { type: 'otherImage', params: ({ event }) => event.imageUid },
            target: '.loading',
            actions: { type: 'activateImage', params: ({ event }) => event.imageUid },
          },
        ],
        'image.loaded': { actions: { type: 'setLoaded', params: ({ event }) => event } },
        'image.failed': {
          actions: { type: 'setLoaded', params: ({ event }) => ({ imageUid: event.imageUid, frames: 'failed' }) },
        },
        'viewer.closed': { target: '.empty', actions: 'leaveStage' },
        // Other images on the stage can change while the active one loads.
        'display.settled': {
          guard: { type: 'onStage', params: ({ event }) => event.imageUid },
          actions: [{ type: 'setDisplay', params: ({ event }) => event }, 'raiseChange'],
        },
      },
      states: {
        empty: {},
        loading: {
          on: {
            'image.loaded': {
              guard: { type: 'isActive', params: ({ event }) => event.imageUid },
              target: 'ready',
              actions: { type: 'setLoaded', params: ({ event }) => event },
            },
            'image.failed': {
              guard: { type: 'isActive', params: ({ event }) => event.imageUid },
              target: 'failed',
              actions: {
                type: 'setLoaded',
                params: ({ event }) => ({ imageUid: event.imageUid, frames: 'failed' }),
              },
            },
          },
        },
        failed: {
          on: {
            'load.retried': { target: 'loading', actions: 'retry' },
            'image.loaded': {
              guard: { type: 'isActive', params: ({ event }) => event.imageUid },
              target: 'ready',
              actions: { type: 'setLoaded', params: ({ event }) => event },
            },
          },
        },
        ready: {
          initial: 'settled',
          on: {
            'image.failed': {
              guard: { type: 'isActive', params: ({ event }) => event.imageUid },
              target: 'failed',
              actions: {
                type: 'setLoaded',
                params: ({ event }) => ({ imageUid: event.imageUid, frames: 'failed' }),
              },
            },
            'display.settled': {
              guard: { type: 'onStage', params: ({ event }) => event.imageUid },
              target: '.settled',
              actions: [{ type: 'setDisplay', params: ({ event }) => event }, 'raiseChange'],
            },
            'frame.chosen': {
              guard: { type: 'frameExists', params: ({ event }) => event.frame },
              actions: { type: 'setFrame', params: ({ event }) => event.frame },
            },
            'marks.settled': {
              guard: { type: 'onStage', params: ({ event }) => event.imageUid },
              target: '.settled',
              actions: [
                { type: 'showAddedMarks', params: ({ event }) => event },
                { type: 'setStep', params: ({ event: { imageUid, marks } }) => ({ imageUid, marks }) },
                'raiseChange',
              ],
            },
            'image.calibrated': {
              guard: { type: 'onStage', params: ({ event }) => event.imageUid },
              target: '.settled',
              actions: [
                {
                  type: 'setStep',
                  params: ({ event: { imageUid, calibration } }) => ({ imageUid, calibration }),
                },
                'raiseChange',
              ],
            },
          },
          states: {
            settled: {
              on: {
                'gesture.begun': 'moving',
                'image.reset': {
                  guard: 'anyChange',
                  actions: [
                    {
                      type: 'setStep',
                      params: ({ context }) => ({
                        imageUid: context.imageUid ?? '',
                        display: null,
                        linkedVoi: null,
                        view: 'fit',
                      }),
                    },
                    'raiseChange',
                  ],
                },
                'change.undone': { guard: 'anyPast', actions: ['undo', 'raiseChange'] },
                'change.redone': { guard: 'anyFuture', actions: ['redo', 'raiseChange'] },
              },
            },
            /** The stage draws by itself; buttons wait for the end of the gesture. */
            moving: {
              on: {
                // The image of the gesture may be gone, and then the gesture never settles.
                'images.shown': {
                  guard: { type: 'otherImages', params: ({ event }) => event.images },
                  target: 'settled',
                  actions: { type: 'show', params: ({ event }) => event.images },
                },
              },
            },
          },
        },
      },
    },
    changes: {
      initial: 'saved',
      states: {
        saved: { always: { guard: 'anyUnsaved', target: 'waiting' } },
        /** Debounces: every further change restarts the wait. */
        waiting: {
          after: { saveDelay: 'saving' },
          on: {
            'settings.changed': { target: 'waiting', reenter: true },
            'viewer.closed': 'saving',
            'page.hidden': 'saving',
          },
        },
        saving: {
          invoke: {
            id: 'saveChanges',
            src: 'saveChanges',
            input: ({ context }) => unsavedOf(context.workspace),
            onDone: [
              {
                guard: { type: 'anyDelayed', params: ({ event }) => event.output },
                target: 'delayed',
                actions: { type: 'applyOutcomes', params: ({ event }) => event.output },
              },
              { target: 'saved', actions: { type: 'applyOutcomes', params: ({ event }) => event.output } },
            ],
            onError: 'delayed',
          },
        },
        /** The archive does not answer; changes stay pending. */
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

/** Returns the active image. */
export const selectActiveImage = (snapshot: ViewerSnapshot): string | null => snapshot.context.imageUid;
export const selectImageState = (snapshot: ViewerSnapshot): 'empty' | 'loading' | 'failed' | 'ready' =>
  typeof snapshot.value.image === 'string' ? snapshot.value.image : 'ready';
export const selectTool = (snapshot: ViewerSnapshot): ViewerTool => snapshot.context.tool;
export const selectAreMarksHidden = (snapshot: ViewerSnapshot): boolean => snapshot.context.areMarksHidden;
/** Returns a selector of how an image on the stage is shown; the same object until it changes. */
export const selectSettingsOf =
  (imageUid: string | null) =>
  (snapshot: ViewerSnapshot): ImageSettings =>
    settingsOf(snapshot.context.workspace, imageUid);
/** Returns the number of the last change of any image; later changes have higher numbers. */
export const selectLastChange = ({ context }: ViewerSnapshot): number => context.workspace.change;
/** Returns the number of the change of the active image that undo would reverse; null when there is none. */
export const selectUndoableChange = ({ context }: ViewerSnapshot): number | null =>
  imageStateOf(context.workspace, context.imageUid)?.past.at(-1)?.change ?? null;
export const selectCanReset = (snapshot: ViewerSnapshot): boolean => snapshot.can({ type: 'image.reset' });
export const selectCanUndo = (snapshot: ViewerSnapshot): boolean => snapshot.can({ type: 'change.undone' });
export const selectCanRedo = (snapshot: ViewerSnapshot): boolean => snapshot.can({ type: 'change.redone' });
/** Returns the number of frames of the active image; 0 until it is loaded. */
export const selectFrames = ({ context }: ViewerSnapshot): number => framesOf(context, context.imageUid);
/** Returns images whose window follows another image and is not saved. */
export const selectFollowedUnsaved = ({ context }: ViewerSnapshot): readonly string[] =>
  linkedUnsavedOf(context.workspace);
/** Returns whether changes are being saved or about to be. */
export const selectIsSaving = (snapshot: ViewerSnapshot): boolean => !snapshot.matches({ changes: 'saved' });
/** Returns whether changes wait because the archive does not answer. */
export const selectIsSaveDelayed = (snapshot: ViewerSnapshot): boolean => snapshot.matches({ changes: 'delayed' });
