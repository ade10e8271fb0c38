import { flushSync } from 'react-dom';
import { selectAreMarksHidden, type ViewerActor } from '../../../machines/viewer/viewer.machine.ts';
import type { KeyCommand, Stage, Tool } from '../../../viewer/index.ts';
import type { Navigation } from '../patient/use-navigation.ts';
import type { PlacementHistory } from '../viewset/use-placement-history.ts';
import type { Cine } from './use-cine.ts';
import type { ViewOptions } from './use-view-options.ts';

/** A command of a button or shortcut. `stage`: executed by the stage on the active image. */
export type ViewerCommand =
  | { readonly type: 'stage'; readonly command: KeyCommand }
  /** `byKey`: a drawing tool starts with a point that arrow keys move. */
  | { readonly type: 'tool'; readonly tool: Tool; readonly byKey?: true }
  | { readonly type: 'step'; readonly by: 1 | -1 }
  /** Opens the next or previous mount of the list of studies. */
  | { readonly type: 'mount'; readonly by: 1 | -1 }
  | { readonly type: ViewerAction };

export type ViewerAction =
  | 'reset'
  | 'undo'
  | 'redo'
  | 'cine'
  | 'compare'
  | 'prior'
  | 'prior-later'
  | 'prior-swap'
  | 'prior-mounts'
  | 'tooth-history'
  | 'link'
  | 'overlays'
  | 'marks-hidden'
  | 'planes-hidden'
  | 'marks-menu'
  | 'focus-mode'
  | 'fullscreen'
  | 'shortcuts'
  | 'note'
  | 'grade-acceptable'
  | 'grade-not-acceptable'
  | 'print'
  | 'save-picture'
  | 'blink'
  | 'second-window'
  | 'open'
  | 'back';

interface CommandTargets {
  readonly actor: ViewerActor;
  readonly stage: Stage | null;
  readonly options: ViewOptions;
  readonly cine: Cine;
  readonly isMultiFrame: boolean;
  readonly activeUid: string | null;
  /** The active image in a mount or comparison, which can be opened alone; null when there is none. */
  readonly openable: string | null;
  readonly navigation: Navigation;
  /** Undo and redo of placements; null without a mount. */
  readonly placements: Pick<PlacementHistory, 'undo' | 'redo'> | null;
  /** Compares the active image, or ends the comparison; null when neither is possible. */
  readonly compare: (() => void) | null;
  /**
   * Shows the active image beside its prior. When a prior (of an image or a mount) is already shown, goes to the one before it. Null without an
   * image.
   */
  readonly prior: (() => void) | null;
  /** Opens the note of the active image or the mount; null when neither is shown. */
  readonly note: (() => void) | null;
  /** Grades the active image as acceptable, or goes to the reasons why it is not; null where it has no grade. */
  readonly grade: { readonly accept: () => void; readonly reject: () => void } | null;
  /** Shows the mount beside its prior, or ends that comparison; null without a mount. */
  readonly priorMounts: (() => void) | null;
  /** Shows the images in the second window, or closes it. */
  readonly toggleSecondWindow: () => void;
  /** Whether an image with pixels is shown. */
  readonly hasPictures: boolean;
  /** Whether two images are compared. */
  readonly canBlink: boolean;
  /** Returns the active image to the display of its presentation state; false without one. */
  readonly resetToPresentationState: () => boolean;
  /** Whether an image or a mount is shown beside its prior. */
  readonly isPriorShown: boolean;
}

/** Commands that read or leave the current changes, so a gesture is settled first. */
const settlingCommands: ReadonlySet<ViewerCommand['type']> = new Set([
  'reset',
  'undo',
  'redo',
  'step',
  'mount',
  'compare',
  'prior',
  'prior-later',
  'prior-swap',
  'prior-mounts',
  'print',
  'save-picture',
  'blink',
  'open',
  'back',
]);

/** Executes a command; returns whether it had an effect. */
export const runViewerCommand = (command: ViewerCommand, targets: CommandTargets): boolean => {
  const { actor, stage, options, cine, navigation, compare } = targets;
  // Settles a running gesture, so that its change comes before this command. flushSync renders it at once;
  // otherwise a command that restores the same scene would leave the gesture's picture on the stage.
  if (settlingCommands.has(command.type)) flushSync(() => stage?.settle());
  switch (command.type) {
    case 'stage':
      if (stage?.act(command.command)) return true;
      return command.command.type === 'abandon' && runViewerCommand({ type: 'back' }, targets);
    case 'tool':
      actor.send({ type: 'tool.chosen', tool: command.tool });
      if (command.byKey) stage?.act({ type: 'tool', tool: command.tool });
      return true;
    case 'step':
      navigation.step(command.by);
      return true;
    case 'mount':
      navigation.stepMount(command.by);
      return true;
    case 'reset':
      if (stage?.act({ type: 'remove-point' })) return true;
      if (!targets.resetToPresentationState()) actor.send({ type: 'image.reset' });
      return true;
    case 'undo':
      if (!targets.placements?.undo()) actor.send({ type: 'change.undone' });
      return true;
    case 'redo':
      if (!targets.placements?.redo()) actor.send({ type: 'change.redone' });
      return true;
    case 'cine':
      cine.setPlaying(!cine.playing);
      return targets.isMultiFrame;
    case 'compare':
      compare?.();
      return compare !== null;
    case 'prior':
      targets.prior?.();
      return targets.prior !== null;
    case 'prior-later':
      if (targets.isPriorShown) navigation.prior.later();
      return targets.isPriorShown;
    case 'prior-swap':
      if (targets.isPriorShown) navigation.prior.swap();
      return targets.isPriorShown;
    case 'prior-mounts':
      targets.priorMounts?.();
      return targets.priorMounts !== null;
    case 'tooth-history':
      navigation.toggleHistory(targets.activeUid);
      return true;
    case 'second-window':
      if (targets.hasPictures) targets.toggleSecondWindow();
      return targets.hasPictures;
    case 'link':
      options.toggleLinked();
      return true;
    case 'overlays':
      options.toggleOverlays();
      return true;
    case 'marks-hidden':
      actor.send({ type: selectAreMarksHidden(actor.getSnapshot()) ? 'marks.shown' : 'marks.hidden' });
      return true;
    case 'planes-hidden':
      options.togglePlanes();
      return true;
    case 'marks-menu':
      options.setMarksMenu(true);
      return true;
    case 'focus-mode':
      options.setFocusMode(!options.focusMode);
      return true;
    case 'fullscreen':
      options.toggleFullscreen();
      return true;
    case 'shortcuts':
      options.setDialog('shortcuts');
      return true;
    case 'note':
      targets.note?.();
      return targets.note !== null;
    case 'grade-acceptable':
      targets.grade?.accept();
      return targets.grade !== null;
    case 'grade-not-acceptable':
      targets.grade?.reject();
      return targets.grade !== null;
    case 'print':
    case 'save-picture':
      if (targets.hasPictures) options.setDialog(command.type);
      return targets.hasPictures;
    case 'blink':
      if (targets.canBlink) options.setDialog('blink');
      return targets.canBlink;
    case 'open':
      if (stage?.act({ type: 'finish' })) return true;
      if (targets.openable !== null) navigation.open(targets.openable);
      return targets.openable !== null;
    case 'back':
      if (options.focusMode) options.setFocusMode(false);
      else navigation.back?.();
      return options.focusMode || navigation.back !== null;
  }
};
