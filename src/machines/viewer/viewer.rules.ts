import { type Calibration, type Display, type Mark, plainDisplay } from '../../../contract/displays.ts';
import type { Slot } from '../../../contract/viewsets.ts';
import { inKnownOrder } from './marks.rules.ts';
import { createVersioned, isEqual, type Versioned, withChange, withConfirmed } from './versioned.rules.ts';

/** Image point in the centre, and device pixels per image pixel; 'fit', and 'area' of a presentation state, follow the size of the stage. */
export type CameraView =
  | 'fit'
  | 'area'
  | { readonly centreX: number; readonly centreY: number; readonly scale: number };

export type ViewerTool = 'window' | 'pan' | 'zoom' | 'region' | 'magnifier' | 'calibrate' | Mark['kind'];

/** An image on the stage with its data from the archive. */
export interface StageImage {
  readonly imageUid: string;
  /** The viewset in which it is shown; null for a single image. */
  readonly viewsetId: string | null;
  /** null: unchanged, shown as in the file with the rotation of the slot. */
  readonly display: Display | null;
  readonly displayVersion: number;
  /** Rotation and flip of the slot; null outside a viewset. Applies only while `display` is null. */
  readonly turn: Pick<Slot, 'rotation' | 'horizontalFlip'> | null;
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
  readonly marksVersion: number;
  readonly frames: number;
  /** The series whose slices share window and view while one after the other is shown alone; null for other images. */
  readonly slicesOf: string | null;
}

/** How an image is shown: stored display and marks, current view and frame. */
export interface ImageSettings {
  readonly display: Display;
  readonly view: CameraView;
  /** From 1. */
  readonly frame: number;
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
  /** False if the archive is known to have newer measurements. */
  readonly isCalibrationKnown: boolean;
}

/** A linked image of a comparison after it followed a change. */
export interface FollowedImage {
  readonly imageUid: string;
  readonly display: Display;
  readonly view: CameraView;
}

/** Measurements and calibration belong to the image, in any viewset. */
export interface Marking {
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
}

/** One step of undo and redo. */
export interface Step extends Marking {
  readonly display: Display | null;
  readonly linkedVoi: Display['voi'];
  readonly view: CameraView;
  /** Number of the following change; steps with the same number are one change of several images. */
  readonly change: number;
}

export type StepChange = Partial<Omit<Step, 'change'>>;

/** State of one image in one viewset, or on its own. */
export interface ImageState {
  readonly imageUid: string;
  readonly viewsetId: string | null;
  /** The unchanged display. */
  readonly plain: Display;
  readonly display: Versioned<Display | null>;
  /** The window that follows another image: shown but not saved. null: none. */
  readonly linkedVoi: Display['voi'];
  readonly settings: ImageSettings;
  /** The latest last. */
  readonly past: readonly Step[];
  /** The next first. */
  readonly future: readonly Step[];
}

/** State of every image of the session, and the images on the stage. */
export interface Workspace {
  readonly stageImages: readonly StageImage[];
  readonly imageStates: Readonly<Record<string, ImageState>>;
  readonly markings: Readonly<Record<string, Versioned<Marking>>>;
  /** Number of the last change. */
  readonly change: number;
}

/** Maximum number of undo steps; the oldest are dropped. */
export const maxHistory = 50;

export const freshSettings: ImageSettings = {
  display: plainDisplay,
  view: 'fit',
  frame: 1,
  marks: [],
  calibration: null,
  isCalibrationKnown: true,
};

export const emptyWorkspace: Workspace = { stageImages: [], imageStates: {}, markings: {}, change: 0 };

const keyOf = ({ viewsetId, imageUid }: { readonly viewsetId: string | null; readonly imageUid: string }): string =>
  `${viewsetId ?? ''}/${imageUid}`;

export const stageImageOf = (workspace: Workspace, imageUid: string | null): StageImage | null =>
  workspace.stageImages.find((stageImage) => stageImage.imageUid === imageUid) ?? null;

export const imageStateOf = (workspace: Workspace, imageUid: string | null): ImageState | null => {
  const stageImage = stageImageOf(workspace, imageUid);
  return (stageImage && workspace.imageStates[keyOf(stageImage)]) ?? null;
};

/** Returns how an image on the stage is shown; the same object until it changes. */
export const settingsOf = (workspace: Workspace, imageUid: string | null): ImageSettings =>
  imageStateOf(workspace, imageUid)?.settings ?? freshSettings;

export const isFresh = (workspace: Workspace, imageUid: string | null): boolean => {
  const imageState = imageStateOf(workspace, imageUid);
  return (
    !imageState ||
    (imageState.display.value === null && imageState.linkedVoi === null && imageState.settings.view === 'fit')
  );
};

export const hasPast = (workspace: Workspace, imageUid: string | null): boolean =>
  (imageStateOf(workspace, imageUid)?.past.length ?? 0) > 0;
export const hasFuture = (workspace: Workspace, imageUid: string | null): boolean =>
  (imageStateOf(workspace, imageUid)?.future.length ?? 0) > 0;

/** Returns the image's own display, without a followed window. */
export const ownDisplay = ({ display, plain }: ImageState): Display => display.value ?? plain;

const resolved = (imageState: ImageState): ImageState => {
  const own = ownDisplay(imageState);
  const display = imageState.linkedVoi ? { ...own, voi: imageState.linkedVoi } : own;
  return isEqual(display, imageState.settings.display)
    ? imageState
    : { ...imageState, settings: { ...imageState.settings, display } };
};

export const withImageState = (workspace: Workspace, imageState: ImageState): Workspace => ({
  ...workspace,
  imageStates: { ...workspace.imageStates, [keyOf(imageState)]: resolved(imageState) },
});

const markingOf = ({ marks, calibration }: Marking): Marking => ({ marks, calibration });

/** Sets the measurements of an image in all viewsets. `foreign`: from the archive, so the history is cleared. */
const withMarking = (
  workspace: Workspace,
  imageUid: string,
  versioned: Versioned<Marking>,
  foreign: boolean,
): Workspace => {
  const imageStates = Object.entries(workspace.imageStates).map(([key, imageState]): [string, ImageState] => {
    const isCalibrationKnown = !versioned.isOutdated;
    const isSameMarking = isEqual(markingOf(imageState.settings), versioned.value);
    if (imageState.imageUid !== imageUid) return [key, imageState];
    if (isSameMarking && imageState.settings.isCalibrationKnown === isCalibrationKnown) return [key, imageState];
    const settings = { ...imageState.settings, ...versioned.value, isCalibrationKnown };
    if (isSameMarking) return [key, { ...imageState, settings }];
    return [key, foreign ? { ...imageState, settings, past: [], future: [] } : { ...imageState, settings }];
  });
  return {
    ...workspace,
    imageStates: Object.fromEntries(imageStates),
    markings: { ...workspace.markings, [imageUid]: versioned },
  };
};

export const stepOf = ({ display, linkedVoi, settings }: ImageState, change: number): Step => ({
  display: display.value,
  linkedVoi,
  view: settings.view,
  ...markingOf(settings),
  change,
});

const plainOf = ({ turn }: StageImage): Display =>
  turn ? { ...plainDisplay, rotation: turn.rotation, horizontalFlip: turn.horizontalFlip } : plainDisplay;

const nextImageState = (stageImage: StageImage, known: ImageState | undefined, marking: Marking): ImageState => {
  const plain = stageImage.display === null ? plainOf(stageImage) : (known?.plain ?? plainDisplay);
  const { imageUid, viewsetId, display: confirmed, displayVersion } = stageImage;
  if (!known)
    return {
      imageUid,
      viewsetId,
      plain,
      display: createVersioned(confirmed, displayVersion),
      linkedVoi: null,
      settings: { ...freshSettings, display: confirmed ?? plain, ...marking },
      past: [],
      future: [],
    };
  const display = withConfirmed(known.display, confirmed, displayVersion);
  return { ...known, plain, display, ...clearedHistory(known, display) };
};

/** Returns the cleared history if the archive changed the display: undo must not restore an older one. */
const clearedHistory = (known: ImageState, display: ImageState['display']) =>
  isEqual(display.value, known.display.value) ? null : { past: [], future: [], linkedVoi: null };

/** Puts images on the stage with their data from the archive. */
export const withShown = (workspace: Workspace, stageImages: readonly StageImage[]): Workspace =>
  stageImages.reduce<Workspace>(
    (before, stageImage) => {
      const known = before.markings[stageImage.imageUid];
      const { marks, calibration } = stageImage;
      const confirmed = { marks: known ? inKnownOrder(known.value.marks, marks) : marks, calibration };
      const versioned = known
        ? withConfirmed(known, confirmed, stageImage.marksVersion)
        : createVersioned(confirmed, stageImage.marksVersion);
      const imageState = nextImageState(stageImage, before.imageStates[keyOf(stageImage)], versioned.value);
      return withMarking(withImageState(before, imageState), stageImage.imageUid, versioned, true);
    },
    { ...workspace, stageImages },
  );

/** Applies a step to an image, with its history. */
export const withStepApplied = (
  workspace: Workspace,
  imageUid: string,
  step: StepChange,
  history: Partial<ImageState>,
): Workspace => {
  const imageState = imageStateOf(workspace, imageUid);
  if (!imageState) return workspace;
  const next = { ...stepOf(imageState, 0), ...step };
  const settings = { ...imageState.settings, view: next.view };
  const display = withChange(imageState.display, next.display);
  const withDisplay = withImageState(workspace, {
    ...imageState,
    ...history,
    settings,
    display,
    linkedVoi: next.linkedVoi,
  });
  const versioned = workspace.markings[imageUid];
  return versioned ? withMarking(withDisplay, imageUid, withChange(versioned, markingOf(next)), false) : withDisplay;
};

/** Compares two steps without their change numbers. */
export const isSameState = (one: Step, other: Step): boolean => isEqual({ ...one, change: 0 }, { ...other, change: 0 });

/** Applies a step as part of the current change number. A step without effect is not recorded. */
export const withPartOfChange = (workspace: Workspace, imageUid: string, step: StepChange): Workspace => {
  const imageState = imageStateOf(workspace, imageUid);
  if (!imageState) return workspace;
  const before = stepOf(imageState, workspace.change);
  if (isSameState(before, { ...before, ...step })) return workspace;
  const past = [...imageState.past, before].slice(-maxHistory);
  return withStepApplied(workspace, imageUid, step, { past, future: [] });
};

/** Applies a change of the user as an undoable step. */
export const withStep = (workspace: Workspace, imageUid: string, step: StepChange): Workspace =>
  imageStateOf(workspace, imageUid)
    ? withPartOfChange({ ...workspace, change: workspace.change + 1 }, imageUid, step)
    : workspace;

export const withFrame = (workspace: Workspace, imageUid: string, frame: number): Workspace => {
  const imageState = imageStateOf(workspace, imageUid);
  return imageState
    ? withImageState(workspace, { ...imageState, settings: { ...imageState.settings, frame } })
    : workspace;
};

/** Updates the versioned display after a save; a value changed by the archive clears the history. */
export const withVersionedDisplay = (
  workspace: Workspace,
  shown: Pick<ImageState, 'viewsetId' | 'imageUid'>,
  change: (versioned: Versioned<Display | null>) => Versioned<Display | null>,
): Workspace => {
  const imageState = workspace.imageStates[keyOf(shown)];
  if (!imageState) return workspace;
  const display = change(imageState.display);
  return withImageState(workspace, { ...imageState, display, ...clearedHistory(imageState, display) });
};

export const withVersionedMarking = (
  workspace: Workspace,
  imageUid: string,
  change: (versioned: Versioned<Marking>) => Versioned<Marking>,
): Workspace => {
  const versioned = workspace.markings[imageUid];
  return versioned ? withMarking(workspace, imageUid, change(versioned), true) : workspace;
};
