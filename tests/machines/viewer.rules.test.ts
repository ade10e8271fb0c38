import { expect, it } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import { type Change, unsavedOf, withOutcomes } from '../../src/machines/viewer/saving.rules.ts';
import {
  emptyRoom,
  hasPast,
  longestHistory,
  settingsOf,
  withPlaces,
  withRedone,
  withStep,
  withUndone,
} from '../../src/machines/viewer/viewer.rules.ts';
import type { Failure } from '../../src/services/failure.ts';
import { bright, dark, length, placeOf } from './viewer-room.ts';

const conflict: Failure = { kind: 'refused', status: 409, code: 'conflict', errors: [] };
const shown = withPlaces(emptyRoom, [placeOf('one')]);
const displayOf = (room: typeof shown) => settingsOf(room, 'one').display;
const changesOf = (room: typeof shown): readonly Change[] => unsavedOf(room);

it('shows an image as its slot turns it until somebody changes it, and again after a reset', () => {
  expect(displayOf(shown)).toEqual({ ...plainDisplay, rotation: 90 });
  const changed = withStep(shown, 'one', { display: dark });
  expect(displayOf(changed)).toEqual(dark);
  const reset = withStep(changed, 'one', { display: null, view: 'fit' });
  expect(displayOf(reset)).toEqual({ ...plainDisplay, rotation: 90 });
});

it('keeps the turn that somebody gave an image when everything else is undone', () => {
  // The wire tells the turn of a changed image as that of its slot.
  const turned = { ...plainDisplay, rotation: 180 };
  const told = placeOf('one', { display: turned, displayVersion: 1, turn: { rotation: 180, horizontalFlip: false } });
  const room = withUndone(withStep(withPlaces(emptyRoom, [told]), 'one', { display: dark }), 'one');
  expect(displayOf(room)).toEqual(turned);
  expect(changesOf(room)[0]).toMatchObject({ display: turned });
  // After a reset the archive tells what the slot itself asks.
  const reset = withStep(withPlaces(emptyRoom, [told]), 'one', { display: null });
  const change = changesOf(reset)[0];
  if (!change) throw new Error('The reset is to be saved');
  const after = withPlaces(withOutcomes(reset, [{ change, version: 2 }]), [placeOf('one', { displayVersion: 2 })]);
  expect(displayOf(after)).toEqual({ ...plainDisplay, rotation: 90 });
});

it('takes the newer of what is here and what is told', () => {
  const newer = withPlaces(shown, [placeOf('one', { display: dark, displayVersion: 2 })]);
  expect(displayOf(newer)).toEqual(dark);
  expect(displayOf(withPlaces(newer, [placeOf('one', { display: bright, displayVersion: 1 })]))).toEqual(dark);
  // What a person changed stays until the archive has spoken.
  const mine = withStep(newer, 'one', { display: bright });
  const told = withPlaces(mine, [placeOf('one', { display: null, displayVersion: 3 })]);
  expect(displayOf(told)).toEqual(bright);
  const change = changesOf(told)[0];
  expect(change).toMatchObject({ version: 2 });
  // A further change does not turn it into one that has seen the newer word.
  expect(changesOf(withStep(told, 'one', { display: { ...bright, gamma: 3 } }))).toMatchObject([{ version: 2 }]);
  if (!change) return;
  const refused = withOutcomes(told, [{ change, failure: conflict }]);
  expect(displayOf(refused)).toEqual({ ...plainDisplay, rotation: 90 });
  expect(changesOf(refused)).toEqual([]);
  expect(hasPast(refused, 'one')).toBe(false);
});

it('sends a change that was made while another was on its way, based on the reply', () => {
  const first = withStep(shown, 'one', { display: dark });
  const [sent] = changesOf(first);
  if (!sent) throw new Error('The change is to be saved');
  const second = withStep(first, 'one', { display: bright });
  const room = withOutcomes(second, [{ change: sent, version: 1 }]);
  expect(changesOf(room)).toEqual([{ ...sent, display: bright, version: 1 }]);
  expect(displayOf(room)).toEqual(bright);
});

it('keeps how an image is shown in each viewset apart, and its measurements together', () => {
  const inMount = withStep(withStep(shown, 'one', { display: dark }), 'one', { marks: [length] });
  const alone = withPlaces(inMount, [placeOf('one', { viewsetId: null, turn: null })]);
  expect(displayOf(alone)).toEqual(plainDisplay);
  expect(settingsOf(alone, 'one').marks).toEqual([length]);
  expect(changesOf(alone).map(({ kind }) => kind)).toEqual(['display', 'marks']);
  expect(displayOf(withPlaces(alone, [placeOf('one')]))).toEqual(dark);
});

it('walks back and forth through fifty steps of an image', () => {
  let room = shown;
  for (let gamma = 1; gamma <= 60; gamma += 1)
    room = withStep(room, 'one', { display: { ...plainDisplay, gamma: gamma / 10 } });
  for (let step = 0; step < 60; step += 1) room = withUndone(room, 'one');
  expect(displayOf(room).gamma).toBe((60 - longestHistory) / 10);
  for (let step = 0; step < 60; step += 1) room = withRedone(room, 'one');
  expect(displayOf(room).gamma).toBe(6);
});

it('never brings back older measurements over those of somebody else', () => {
  const marked = withStep(shown, 'one', { marks: [length] });
  const [change] = changesOf(marked);
  if (!change) throw new Error('The measurement is to be saved');
  const saved = withOutcomes(marked, [{ change, version: 1 }]);
  expect(hasPast(saved, 'one')).toBe(true);
  const foreign = { ...length, id: 'd1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01' };
  const told = withPlaces(saved, [placeOf('one', { marks: [foreign], marksVersion: 2 })]);
  expect(settingsOf(told, 'one').marks).toEqual([foreign]);
  expect(hasPast(told, 'one')).toBe(false);
});

it('knows its own change when the archive tells it with keys in another order', () => {
  const changed = withStep(shown, 'one', { display: dark });
  const [change] = changesOf(changed);
  if (!change) throw new Error('The change is to be saved');
  const saved = withOutcomes(changed, [{ change, version: 1 }]);
  const reordered = Object.fromEntries(Object.entries(dark).reverse()) as typeof dark;
  const told = withPlaces(saved, [placeOf('one', { display: reordered, displayVersion: 1 })]);
  expect(settingsOf(told, 'one')).toBe(settingsOf(saved, 'one'));
  expect(hasPast(told, 'one')).toBe(true);
});
