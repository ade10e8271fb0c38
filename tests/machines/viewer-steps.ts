import { isDeepStrictEqual } from 'node:util';
import type { AnyMachineSnapshot } from 'xstate';
import type { Display, Mark } from '../../contract/displays.ts';
import { type Change, unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
import { viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { type Room, settingsOf } from '../../src/machines/viewer/viewer.rules.ts';
import type { ViewerContext } from '../../src/machines/viewer/viewer.setup.ts';
import type { Failure } from '../../src/services/failure.ts';
import { done } from '../paths.ts';
import { bright, dark, length, placeOf } from './viewer-room.ts';

const looks = { dark, bright };

const lookOf = (display: Display | null): string => {
  if (display === null) return 'unchanged';
  const [known] = Object.entries(looks).find(([, look]) => isDeepStrictEqual(look, display)) ?? [];
  return known ?? (display?.rotation === 90 ? 'as its slot turns it' : 'plain');
};

/** How an image is shown, in words. */
const shownAs = (room: Room, imageUid: string): string => {
  const { display, view, frame, marks, calibration } = settingsOf(room, imageUid);
  const entry = Object.values(room.entries).find((one) => one.imageUid === imageUid);
  return [
    ...[lookOf(display), view === 'fit' ? 'whole' : 'near', `frame ${frame}`, `${marks.length} marks`],
    ...(calibration ? ['calibrated'] : []),
    `${entry?.past.length ?? 0} back, ${entry?.future.length ?? 0} forth`,
  ].join(', ');
};

const unsaved = (change: Change): string =>
  change.kind === 'display'
    ? `${change.imageUid} ${lookOf(change.display)} on ${change.version}`
    : `${change.imageUid} ${change.marks.length} marks on ${change.version}`;

const facts = ({ context }: AnyMachineSnapshot) => {
  const { imageUid, tool, loaded, attempt, room } = context as ViewerContext;
  return {
    ...{ imageUid, tool, loaded, attempt },
    stage: room.places.map((place) => place.imageUid),
    one: shownAs(room, 'one'),
    two: shownAs(room, 'two'),
    unsaved: unsavedOf(room).map(unsaved),
  };
};

export const viewer = { machine: viewerMachine, facts };

const near = { centreX: 1, centreY: 2, scale: 3 };

export const shown = { type: 'images.shown', places: [placeOf('one'), placeOf('two')] };
export const told = {
  type: 'images.shown',
  places: [placeOf('one', { display: bright, displayVersion: 4 }), placeOf('two')],
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
  ...{ imageUid, display, view: near },
});
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

export const display = (look: Display | null, version: number) => ({
  kind: 'display',
  ...{ viewsetId: 'v', imageUid: 'one', display: look, version },
});
export const taken = (look: Display, version: number) =>
  done('saveChanges', [{ change: display(look, version), version: version + 1 }]);
export const notTaken = (look: Display, failure: Failure) =>
  done('saveChanges', [{ change: display(look, 0), failure }]);

export const ready = [shown, opened(), loaded()];
export const darkened = [...ready, settled(dark)];
export const saving = [...darkened, 500];
export const save = (look: Display | null, version = 0) => ['saveChanges', [display(look, version)]] as const;
export const aLength = [length];

/** An image is in hand that can be seen; `keeping`: how far the archive knows of it. */
export const at = (keeping: string) => ({ hand: { ready: 'settled' }, keeping });
export const holding = (hand: string, keeping = 'kept') => ({ hand, keeping });
/** What is known when the stage was left. */
export const leftBehind = {
  ...{ imageUid: null, loaded: {}, stage: [] },
  one: 'plain, whole, frame 1, 0 marks, 0 back, 0 forth',
  two: 'plain, whole, frame 1, 0 marks, 0 back, 0 forth',
};
