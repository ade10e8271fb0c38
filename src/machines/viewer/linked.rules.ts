import type { Display } from '../../../contract/displays.ts';
import { withSliceFollowing } from './slices.rules.ts';
import { isEqual, withChange } from './versioned.rules.ts';
import {
  type FollowedImage,
  type ImageState,
  imageStateOf,
  isSameState,
  ownDisplay,
  type StageImage,
  type Step,
  stepOf,
  type Workspace,
  withImageState,
  withPartOfChange,
  withShown,
} from './viewer.rules.ts';

/*
 * Linked images of a comparison follow the image that is changed. Zoom and pan are never saved. Of the display only the window follows;
 * on an image that the user did not change it is shown but saved only after confirmation. See `linkedVoi` in src/viewer/scene/link.ts.
 */

/** Returns the step for a changed image: a window that follows stays unsaved unless the user changed it. */
const ownStep = (imageState: ImageState, display: Display): Pick<Step, 'display' | 'linkedVoi'> => {
  if (isEqual(display, imageState.settings.display))
    return { display: imageState.display.value, linkedVoi: imageState.linkedVoi };
  if (!imageState.linkedVoi || !isEqual(display.voi, imageState.linkedVoi)) return { display, linkedVoi: null };
  return { display: { ...display, voi: ownDisplay(imageState).voi }, linkedVoi: imageState.linkedVoi };
};

const withFollowing = (workspace: Workspace, { imageUid, display, view }: FollowedImage): Workspace => {
  const imageState = imageStateOf(workspace, imageUid);
  if (!imageState) return workspace;
  const linkedVoi = isEqual(display.voi, ownDisplay(imageState).voi) ? null : display.voi;
  if (isEqual(linkedVoi, imageState.linkedVoi) && isEqual(view, imageState.settings.view)) return workspace;
  return withPartOfChange(workspace, imageUid, { linkedVoi, view });
};

/** Applies the end of a gesture, key or slider, with the images that followed, as one change. */
export const withDisplaySettled = (
  workspace: Workspace,
  { imageUid, display, view }: FollowedImage,
  followed: readonly FollowedImage[],
): Workspace => {
  const imageState = imageStateOf(workspace, imageUid);
  if (!imageState) return workspace;
  const next = { ...workspace, change: workspace.change + 1 };
  const own = withPartOfChange(next, imageUid, { ...ownStep(imageState, display), view });
  return followed.filter((one) => one.imageUid !== imageUid).reduce(withFollowing, own);
};

/** Returns the images of a comparison whose window follows another image and is not saved. A slice alone follows the one before. */
export const linkedUnsavedOf = (workspace: Workspace): readonly string[] =>
  (workspace.stageImages.length > 1 ? workspace.stageImages : [])
    .map(({ imageUid }) => imageUid)
    .filter((imageUid) => imageStateOf(workspace, imageUid)?.linkedVoi);

/** Makes the followed windows the images' own, to be saved. */
export const withLinkedSaved = (workspace: Workspace): Workspace =>
  linkedUnsavedOf(workspace).reduce((before, imageUid) => {
    const imageState = imageStateOf(before, imageUid);
    if (!imageState) return before;
    const display = withChange(imageState.display, { ...ownDisplay(imageState), voi: imageState.linkedVoi });
    return withImageState(before, { ...imageState, display, linkedVoi: null, future: [] });
  }, workspace);

/** Removes the followed window, and steps that changed nothing else. */
const withoutLinked = (imageState: ImageState): ImageState => {
  const own = (step: Step): Step => ({ ...step, linkedVoi: null });
  const now = own(stepOf(imageState, 0));
  const past = imageState.past.map(own);
  const future = imageState.future.map(own);
  return {
    ...imageState,
    linkedVoi: null,
    past: past.filter((step, index) => !isSameState(step, past[index + 1] ?? now)),
    future: future.filter((step, index) => !isSameState(step, future[index - 1] ?? now)),
  };
};

const hasLinked = ({ linkedVoi, past, future }: ImageState) =>
  linkedVoi !== null || past.some((step) => step.linkedVoi) || future.some((step) => step.linkedVoi);

/** Resets every image to its own window. */
export const withLinkedDiscarded = (workspace: Workspace): Workspace =>
  Object.values(workspace.imageStates)
    .filter(hasLinked)
    .reduce((before, imageState) => withImageState(before, withoutLinked(imageState)), workspace);

/** Returns whether both lists have the same images of the same viewsets in order. */
export const isSameStage = (one: readonly StageImage[], other: readonly StageImage[]): boolean =>
  one.length === other.length &&
  one.every(
    ({ viewsetId, imageUid }, index) => viewsetId === other[index]?.viewsetId && imageUid === other[index]?.imageUid,
  );

/** Sets the images on the stage. Followed windows are discarded when the images change; a slice follows the one before. */
export const withStageImages = (workspace: Workspace, stageImages: readonly StageImage[]): Workspace => {
  if (isSameStage(stageImages, workspace.stageImages)) return withShown(workspace, stageImages);
  return withSliceFollowing(withShown(withLinkedDiscarded(workspace), stageImages), workspace);
};

/** Removes all images from the stage. */
export const withoutStageImages = (workspace: Workspace): Workspace => ({
  ...withLinkedDiscarded(workspace),
  stageImages: [],
});
