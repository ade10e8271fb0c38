import { type ImageState, imageStateOf, type StageImage, type Workspace, withImageState } from './viewer.rules.ts';

/** The slice that a slice replaces on the stage; null when it is not another one of the same series. */
const previousSlice = (before: Workspace, stageImages: readonly StageImage[]): ImageState | null => {
  const [now, ...others] = stageImages;
  const [shown, ...rest] = before.stageImages;
  if (!now || !shown || others.length + rest.length > 0) return null;
  const isNext = now.slicesOf !== null && now.slicesOf === shown.slicesOf && now.imageUid !== shown.imageUid;
  return isNext ? imageStateOf(before, shown.imageUid) : null;
};

/** Gives a slice the view of the one before, and its window where no own one is saved. */
export const withSliceFollowing = (workspace: Workspace, previous: Workspace): Workspace => {
  const from = previousSlice(previous, workspace.stageImages);
  const imageState = imageStateOf(workspace, workspace.stageImages[0]?.imageUid ?? null);
  if (!from || !imageState) return workspace;
  const { view, display } = from.settings;
  const linkedVoi = imageState.display.value === null ? display.voi : null;
  return withImageState(workspace, { ...imageState, linkedVoi, settings: { ...imageState.settings, view } });
};
