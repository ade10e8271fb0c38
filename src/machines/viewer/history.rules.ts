import { type ImageState, imageStateOf, type Step, stepOf, type Workspace, withStepApplied } from './viewer.rules.ts';

const undoneOf = (workspace: Workspace, imageUid: string): Workspace => {
  const imageState = imageStateOf(workspace, imageUid);
  const step = imageState?.past.at(-1);
  if (!imageState || !step) return workspace;
  const future = [stepOf(imageState, step.change), ...imageState.future];
  return withStepApplied(workspace, imageUid, step, { past: imageState.past.slice(0, -1), future });
};

const redoneOf = (workspace: Workspace, imageUid: string): Workspace => {
  const imageState = imageStateOf(workspace, imageUid);
  const [step, ...future] = imageState?.future ?? [];
  if (!imageState || !step) return workspace;
  return withStepApplied(workspace, imageUid, step, {
    past: [...imageState.past, stepOf(imageState, step.change)],
    future,
  });
};

/** Returns the images whose latest step belongs to the same change. */
const partsOfChange = (
  workspace: Workspace,
  imageUid: string,
  stepAt: (imageState: ImageState) => Step | undefined,
): readonly string[] => {
  const imageState = imageStateOf(workspace, imageUid);
  const change = imageState && stepAt(imageState)?.change;
  if (change === null || change === undefined) return [];
  return workspace.stageImages
    .map((stageImage) => imageStateOf(workspace, stageImage.imageUid))
    .filter((other) => other !== null)
    .filter((other) => stepAt(other)?.change === change)
    .map((other) => other.imageUid);
};

export const withUndone = (workspace: Workspace, imageUid: string): Workspace =>
  partsOfChange(workspace, imageUid, ({ past }) => past.at(-1)).reduce(undoneOf, workspace);

export const withRedone = (workspace: Workspace, imageUid: string): Workspace =>
  partsOfChange(workspace, imageUid, ({ future }) => future[0]).reduce(redoneOf, workspace);
