import { expect, it } from 'vitest';
import { type Mark, plainDisplay } from '../../contract/displays.ts';
import { withRedone, withUndone } from '../../src/machines/viewer/history.rules.ts';
import { withStageImages } from '../../src/machines/viewer/linked.rules.ts';
import { type Change, unsavedOf, withOutcomes } from '../../src/machines/viewer/saving.rules.ts';
import { emptyWorkspace, hasPast, maxHistory, settingsOf, withStep } from '../../src/machines/viewer/viewer.rules.ts';
import type { Failure } from '../../src/services/failure.ts';
import { bright, dark, length, stageImageOf } from './viewer-fixtures.ts';

const conflict: Failure = { kind: 'refused', status: 409, code: 'conflict', errors: [] };
const shown = withStageImages(emptyWorkspace, [stageImageOf('one')]);
const displayOf = (workspace: typeof shown) => settingsOf(workspace, 'one').display;
const changesOf = (workspace: typeof shown): readonly Change[] => unsavedOf(workspace);

it('shows an image in the rotation of its slot until a user changes it, and again after a reset', () => {
  expect(displayOf(shown)).toEqual({ ...plainDisplay, rotation: 90 });
  const changed = withStep(shown, 'one', { display: dark });
  expect(displayOf(changed)).toEqual(dark);
  const reset = withStep(changed, 'one', { display: null, view: 'fit' });
  expect(displayOf(reset)).toEqual({ ...plainDisplay, rotation: 90 });
});

it("keeps the user's rotation when everything else is undone", () => {
  // The reply has the rotation of a changed image as that of its slot.
  const turned = { ...plainDisplay, rotation: 180 };
  const confirmed = stageImageOf('one', {
    display: turned,
    displayVersion: 1,
    turn: { rotation: 180, horizontalFlip: false },
  });
  const workspace = withUndone(withStep(withStageImages(emptyWorkspace, [confirmed]), 'one', { display: dark }), 'one');
  expect(displayOf(workspace)).toEqual(turned);
  expect(changesOf(workspace)[0]).toMatchObject({ display: turned });
  // After a reset the archive returns the rotation of the slot itself.
  const reset = withStep(withStageImages(emptyWorkspace, [confirmed]), 'one', { display: null });
  const change = changesOf(reset)[0];
  if (!change) throw new Error('The reset is to be saved');
  const after = withStageImages(withOutcomes(reset, [{ change, version: 2 }]), [
    stageImageOf('one', { displayVersion: 2 }),
  ]);
  expect(displayOf(after)).toEqual({ ...plainDisplay, rotation: 90 });
});

it('takes the newer of the local and the confirmed settings', () => {
  const newer = withStageImages(shown, [stageImageOf('one', { display: dark, displayVersion: 2 })]);
  expect(displayOf(newer)).toEqual(dark);
  expect(displayOf(withStageImages(newer, [stageImageOf('one', { display: bright, displayVersion: 1 })]))).toEqual(
    dark,
  );
  // A user's change stays until the archive has confirmed or rejected it.
  const mine = withStep(newer, 'one', { display: bright });
  const confirmed = withStageImages(mine, [stageImageOf('one', { display: null, displayVersion: 3 })]);
  expect(displayOf(confirmed)).toEqual(bright);
  const change = changesOf(confirmed)[0];
  expect(change).toMatchObject({ version: 2 });
  // A further change does not make it based on the newer version.
  expect(changesOf(withStep(confirmed, 'one', { display: { ...bright, gamma: 3 } }))).toMatchObject([{ version: 2 }]);
  if (!change) return;
  const refused = withOutcomes(confirmed, [{ change, failure: conflict }]);
  expect(displayOf(refused)).toEqual({ ...plainDisplay, rotation: 90 });
  expect(changesOf(refused)).toEqual([]);
  expect(hasPast(refused, 'one')).toBe(false);
});

it('sends a change that was made during a save with the version of the reply', () => {
  const first = withStep(shown, 'one', { display: dark });
  const [sent] = changesOf(first);
  if (!sent) throw new Error('The change is to be saved');
  const second = withStep(first, 'one', { display: bright });
  const workspace = withOutcomes(second, [{ change: sent, version: 1 }]);
  expect(changesOf(workspace)).toEqual([{ ...sent, display: bright, version: 1 }]);
  expect(displayOf(workspace)).toEqual(bright);
});

it('stores display settings per viewset, and measurements once per image', () => {
  const inMount = withStep(withStep(shown, 'one', { display: dark }), 'one', { marks: [length] });
  const alone = withStageImages(inMount, [stageImageOf('one', { viewsetId: null, turn: null })]);
  expect(displayOf(alone)).toEqual(plainDisplay);
  expect(settingsOf(alone, 'one').marks).toEqual([length]);
  expect(changesOf(alone).map(({ kind }) => kind)).toEqual(['display', 'marks']);
  expect(displayOf(withStageImages(alone, [stageImageOf('one')]))).toEqual(dark);
});

it('undoes and redoes up to fifty steps of an image', () => {
  let workspace = shown;
  for (let gamma = 1; gamma <= 60; gamma += 1)
    workspace = withStep(workspace, 'one', { display: { ...plainDisplay, gamma: gamma / 10 } });
  for (let step = 0; step < 60; step += 1) workspace = withUndone(workspace, 'one');
  expect(displayOf(workspace).gamma).toBe((60 - maxHistory) / 10);
  for (let step = 0; step < 60; step += 1) workspace = withRedone(workspace, 'one');
  expect(displayOf(workspace).gamma).toBe(6);
});

it('keeps the undo steps of marks that the archive returns in another order', () => {
  const points: [[number, number], [number, number]] = [
    [1, 2],
    [3, 4],
  ];
  const arrow: Mark = { points, frame: 1, id: 'c1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f02', kind: 'arrow' };
  const marked = withStep(withStep(shown, 'one', { marks: [arrow] }), 'one', { marks: [arrow, length] });
  const [change] = unsavedOf(marked);
  if (!change) throw new Error('nothing is unsaved');
  const saved = withOutcomes(marked, [{ change, version: 1 }]);
  const confirmed = withStageImages(saved, [stageImageOf('one', { marks: [length, arrow], marksVersion: 1 })]);
  expect(hasPast(confirmed, 'one')).toBe(true);
  const foreign = withStageImages(saved, [stageImageOf('one', { marks: [arrow], marksVersion: 2 })]);
  expect(hasPast(foreign, 'one')).toBe(false);
});

it('never restores older measurements over those of another user', () => {
  const marked = withStep(shown, 'one', { marks: [length] });
  const [change] = changesOf(marked);
  if (!change) throw new Error('The measurement is to be saved');
  const saved = withOutcomes(marked, [{ change, version: 1 }]);
  expect(hasPast(saved, 'one')).toBe(true);
  const foreign = { ...length, id: 'd1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01' };
  const confirmed = withStageImages(saved, [stageImageOf('one', { marks: [foreign], marksVersion: 2 })]);
  expect(settingsOf(confirmed, 'one').marks).toEqual([foreign]);
  expect(hasPast(confirmed, 'one')).toBe(false);
});

it('recognizes its own change when the archive returns it with keys in another order', () => {
  const changed = withStep(shown, 'one', { display: dark });
  const [change] = changesOf(changed);
  if (!change) throw new Error('The change is to be saved');
  const saved = withOutcomes(changed, [{ change, version: 1 }]);
  const reordered = Object.fromEntries(Object.entries(dark).reverse()) as typeof dark;
  const confirmed = withStageImages(saved, [stageImageOf('one', { display: reordered, displayVersion: 1 })]);
  expect(settingsOf(confirmed, 'one')).toBe(settingsOf(saved, 'one'));
  expect(hasPast(confirmed, 'one')).toBe(true);
});
