import { expect, it } from 'vitest';
import {
  selectIsOpening,
  selectIsSaveDelayed,
  selectIsSaving,
  selectOpeningFailure,
  selectShownViewset,
  selectShowsLoading,
  type ViewsetActor,
} from '../../src/machines/viewset/viewset.machine.ts';
import type { Operation } from '../../src/machines/viewset/viewset.rules.ts';
import type { Path } from '../paths.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { agreed, type Hanging, hangingOf, imagesOf } from './hanging.ts';
import { atWork, hanging, leaving } from './models/viewset.ts';

type Snapshot = ReturnType<ViewsetActor['getSnapshot']>;

/** What comes from elsewhere is not known before the reply. */
const isKnown = (operation: Operation) => operation.kind !== 'mount' || operation.from === 'tray';

const outcomeOf = (truth: Hanging, pending: readonly Operation[]): Hanging =>
  pending.filter(isKnown).reduce((hanging, operation) => agreed(hanging, operation) ?? hanging, truth);

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const way = path.steps.map(({ event }) => event.type).join(' -> ');
  const { wanted, truth, pending } = snapshot.context;
  const shown = selectShownViewset(snapshot);
  // One call at a time.
  expect(atWork(snapshot).length, way).toBeLessThanOrEqual(1);
  // What is shown is what the archive will have when it has agreed to all that is pending; no other viewset than the wanted one.
  if (truth && truth.viewSetUuid === wanted)
    expect(shown && hangingOf(shown), way).toEqual(outcomeOf(hangingOf(truth), pending));
  else expect(shown, way).toBeNull();
  // No image is lost or doubled.
  if (shown && truth) {
    const gone = pending.filter(({ kind }) => kind === 'move-out').map(({ imageUid }) => imageUid);
    expect([...imagesOf(hangingOf(shown)), ...gone].sort(), way).toEqual([...imagesOf(hangingOf(truth))].sort());
  }
  // Pending operations are being sent, or wait for the truth; never are they forgotten in a state of rest.
  expect(selectIsSaving(snapshot), way).toBe(pending.length > 0);
  const waits = snapshot.matches({ ready: 'refreshing' }) || snapshot.matches({ ready: 'delayed' });
  expect(snapshot.matches({ ready: 'saving' }) || waits, way).toBe(pending.length > 0 || waits);
  // An archive that does not answer is said to, for as long as anything waits for it.
  if (snapshot.matches({ ready: 'delayed' })) expect(selectIsSaveDelayed(snapshot), way).toBe(true);
  if (pending.length === 0) expect(selectIsSaveDelayed(snapshot), way).toBe(false);
  if (!snapshot.matches('ready')) expect([truth, pending], way).toEqual([null, []]);
  // A viewset that is left stays only for what is pending.
  if (snapshot.matches('ready') && truth?.viewSetUuid !== wanted) expect(pending.length, way).toBeGreaterThan(0);
  if (snapshot.matches('closed')) expect(wanted, way).toBeNull();
  // The views know what to show.
  expect(selectOpeningFailure(snapshot) !== null, way).toBe(snapshot.matches('failed'));
  if (wanted !== null)
    expect([shown !== null, selectIsOpening(snapshot), snapshot.matches('failed')].filter(Boolean), way).toHaveLength(
      1,
    );
  if (selectShowsLoading(snapshot)) expect(pending[0]?.kind, way).toMatch(/unmount|move/);
};

/** Operations that a path accepted, that the archive took, and that still wait at its end. */
const balanceOf = (path: Path) => {
  const states = path.steps.map(({ state }) => state as Snapshot);
  const pendingAt = (index: number) => states[index]?.context.pending.length ?? 0;
  const count = (is: (type: string, index: number) => boolean) =>
    path.steps.filter(({ event }, index) => is(event.type, index)).length;
  const accepted = count((type, index) => /^image\./.test(type) && pendingAt(index) > pendingAt(index - 1));
  const taken = count((type) => /^xstate\.done\.actor\.(mount|unmount|move)Image$/.test(type));
  /** The archive had done it, and its answer was lost. */
  const found = path.steps.filter(({ event }, index) => {
    const before = states[index - 1]?.context;
    const operation = before?.pending[0];
    if (event.type !== 'xstate.done.actor.openViewset' || !before?.truth || !operation) return false;
    return JSON.stringify(agreed(hangingOf(before.truth), operation)) === JSON.stringify(hangingOf(event.output));
  }).length;
  return { accepted, taken: taken + found, waiting: pendingAt(states.length - 1) };
};

it('walks every transition of the viewset, and tells of every operation that it takes back', () =>
  walkAll(
    [
      { ...hanging, invariants },
      { ...leaving, invariants },
    ],
    {
      check: ({ told }, path) => {
        const { accepted, taken, waiting } = balanceOf(path);
        const way = path.steps.map(({ event }) => event.type).join(' -> ');
        const refusals = told.filter(({ type }) => type === 'operation.refused').length;
        expect(refusals > 0, way).toBe(accepted - taken - waiting > 0);
      },
    },
  ));
