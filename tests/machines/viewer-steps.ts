import { isDeepStrictEqual } from 'node:util';
import type { AnyMachineSnapshot } from 'xstate';
import { type Display, type Mark, plainDisplay } from '../../contract/displays.ts';
import { type Change, unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
import { viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { settingsOf, type Workspace } from '../../src/machines/viewer/viewer.rules.ts';
import type { ViewerContext } from '../../src/machines/viewer/viewer.setup.ts';
import type { Failure } from '../../src/services/failure.ts';
import { done } from '../paths.ts';
import { bright, dark, length, stageImageOf } from './viewer-fixtures.ts';

const namedDisplays = { dark, bright };
const isLinked = (display: Display) => isDeepStrictEqual(display, { ...plainDisplay, rotation: 90, voi: linkedVoi });

const displayText = (display: Display | null): string => {
  if (display === null) return 'unchanged';
  const [known] = Object.entries(namedDisplays).find(([, one]) => isDeepStrictEqual(one, display)) ?? [];
  if (isLinked(display)) return 'in the linked window';
  return known ?? (display?.rotation === 90 ? 'as its slot turns it' : 'plain');
};

/** Display settings of an image in short form. */
const shownAs = (workspace: Workspace, imageUid: string): string => {
  const { display, view, frame, marks, calibration, isCalibrationKnown } = settingsOf(workspace, imageUid);
  const imageState = Object.values(workspace.imageStates).find((one) => one.imageUid === imageUid);
  return [
    displayText(display),
    view === 'fit' ? 'whole' : 'near',
    `frame ${frame}`,
    `${marks.length} marks`,
    ...(calibration ? ['calibrated'] : []),
    ...(isCalibrationKnown ? [] : ['calibration unknown']),
    ...(imageState?.linkedVoi ? ['follows'] : []),
    `${imageState?.past.length ?? 0} back, ${imageState?.future.length ?? 0} forth`,
  ].join(', ');
};

const unsaved = (change: Change): string =>
  change.kind === 'display'
    ? `${change.imageUid} ${displayText(change.display)} on ${change.version}`
    : `${change.imageUid} ${change.marks.length} marks on ${change.version}`;

const facts = ({ context }: AnyMachineSnapshot) => {
  const { imageUid, tool, loaded, attempt, workspace } = context as ViewerContext;
  return {
    imageUid,
    tool,
    loaded,
    attempt,
    stage: workspace.stageImages.map((stageImage) => stageImage.imageUid),
    one: shownAs(workspace, 'one'),
    two: shownAs(workspace, 'two'),
    unsaved: unsavedOf(workspace).map(unsaved),
  };
};

export const viewer = { machine: viewerMachine, facts };

const near = { centreX: 1, centreY: 2, scale: 3 };

export const shown = { type: 'images.shown', images: [stageImageOf('one'), stageImageOf('two')] };
export const confirmed = {
  type: 'images.shown',
  images: [stageImageOf('one', { display: bright, displayVersion: 4 }), stageImageOf('two')],
};
export const opened = (imageUid = 'one') => ({ type: 'image.opened', imageUid });
export const loaded = (imageUid = 'one', frames = 2) => ({ type: 'image.loaded', imageUid, frames });
export const broke = (imageUid = 'one') => ({ type: 'image.failed', imageUid });
export const loadRetried = { type: 'load.retried' };
export const closed = { type: 'viewer.closed' };
export const hidden = { type: 'page.hidden' };
export const toolChosen = { type: 'tool.chosen', tool: 'length' };
export const gesture = { type: 'gesture.begun' };
export const settled = (display: Display, imageUid = 'one') => ({
  type: 'display.settled',
  imageUid,
  display,
  view: near,
});
export const linkedVoi = { kind: 'window', centre: 100, width: 50, function: 'LINEAR' } as const;
/** Image one is darkened, and image two beside it follows. */
export const followedBy = (voi: Display['voi'] = linkedVoi) => ({
  type: 'display.settled',
  imageUid: 'one',
  display: dark,
  view: near,
  followed: [{ imageUid: 'two', display: { ...plainDisplay, rotation: 90, voi }, view: near }],
});
export const followedConfirmed = { type: 'followed.confirmed' };
export const followedDiscarded = { type: 'followed.discarded' };
export const marked = (marks: readonly Mark[], imageUid = 'one') => ({ type: 'marks.settled', imageUid, marks });
export const calibrated = (imageUid = 'one') => ({
  type: 'image.calibrated',
  imageUid,
  calibration: { mmPerPixel: 0.1 },
});
export const frame = (chosen: number) => ({ type: 'frame.chosen', frame: chosen });
export const reset = { type: 'image.reset' };
export const undone = { type: 'change.undone' };
export const redone = { type: 'change.redone' };
export const changesRestored = (...displays: readonly Display[]) => ({
  type: 'changes.restored',
  changes: displays.map((display) => ({ kind: 'display', viewsetId: 'v', imageUid: 'one', display, version: 0 })),
});

export const displayChange = (display: Display | null, version: number) => ({
  kind: 'display',
  viewsetId: 'v',
  imageUid: 'one',
  display,
  version,
});
export const taken = (display: Display, version: number) =>
  done('saveChanges', [{ change: displayChange(display, version), version: version + 1 }]);
export const notTaken = (display: Display, failure: Failure) =>
  done('saveChanges', [{ change: displayChange(display, 0), failure }]);

export const ready = [shown, opened(), loaded()];
export const darkened = [...ready, settled(dark)];
export const saving = [...darkened, 500];
export const save = (display: Display | null, version = 0) =>
  ['saveChanges', [displayChange(display, version)]] as const;
export const aLength = [length];

/** An image is active and can be displayed; `changes` is the state of saving. */
export const at = (changes: string) => ({ image: { ready: 'settled' }, changes });
export const imageIs = (image: string, changes = 'saved') => ({ image, changes });
/** The facts after the stage was left. */
export const leftBehind = {
  imageUid: null,
  loaded: {},
  stage: [],
  one: 'plain, whole, frame 1, 0 marks, 0 back, 0 forth',
  two: 'plain, whole, frame 1, 0 marks, 0 back, 0 forth',
};
