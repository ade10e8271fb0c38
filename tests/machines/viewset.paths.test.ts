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
import { atWork, leaving, mounting } from './models/viewset.ts';
import { agreed, imagesOf, type Placement, placementOf } from './viewset-fixtures.ts';

type Snapshot = ReturnType<ViewsetActor['getSnapshot']>;

/** Images from elsewhere are unknown before the reply. */
const isKnown = (operation: Operation) => operation.kind !== 'mount' || operation.from === 'tray';

const outcomeOf = (confirmed: Placement, pending: readonly Operation[]): Placement =>
  pending.filter(isKnown).reduce((placement, operation) => agreed(placement, operation) ?? placement, confirmed);

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = path.steps.map(({ event }) => event.type).join(' -> ');
  const { requestedId, confirmed, pending } = snapshot.context;
  const shown = selectShownViewset(snapshot);
  // One call at a time.
  expect(atWork(snapshot).length, label).toBeLessThanOrEqual(1);
  // The shown viewset is the confirmed one with all pending operations applied; it is the requested viewset.
  if (confirmed && confirmed.viewSetUuid === requestedId)
    expect(shown && placementOf(shown), label).toEqual(outcomeOf(placementOf(confirmed), pending));
  else expect(shown, label).toBeNull();
  // No image is lost or duplicated.
  if (shown && confirmed) {
    const gone = pending.filter(({ kind }) => kind === 'move-out').map(({ imageUid }) => imageUid);
    expect([...imagesOf(placementOf(shown)), ...gone].sort(), label).toEqual(
      [...imagesOf(placementOf(confirmed))].sort(),
    );
  }
  // Pending operations are being sent, or wait for the confirmed viewset; they are never left in an idle state.
  expect(selectIsSaving(snapshot), label).toBe(pending.length > 0);
  const waits = snapshot.matches({ ready: 'refreshing' }) || snapshot.matches({ ready: 'delayed' });
  expect(snapshot.matches({ ready: 'saving' }) || waits, label).toBe(pending.length > 0 || waits);
  // A delay is reported for as long as an operation waits for an unavailable archive.
  if (snapshot.matches({ ready: 'delayed' })) expect(selectIsSaveDelayed(snapshot), label).toBe(true);
  if (pending.length === 0) expect(selectIsSaveDelayed(snapshot), label).toBe(false);
  if (!snapshot.matches('ready')) expect([confirmed, pending], label).toEqual([null, []]);
  // A viewset that was left stays only for its pending operations.
  if (snapshot.matches('ready') && confirmed?.viewSetUuid !== requestedId)
    expect(pending.length, label).toBeGreaterThan(0);
  if (snapshot.matches('closed')) expect(requestedId, label).toBeNull();
  // The views know what to show.
  expect(selectOpeningFailure(snapshot) !== null, label).toBe(snapshot.matches('failed'));
  if (requestedId !== null)
    expect([shown !== null, selectIsOpening(snapshot), snapshot.matches('failed')].filter(Boolean), label).toHaveLength(
      1,
    );
  if (selectShowsLoading(snapshot)) expect(pending[0]?.kind, label).toMatch(/unmount|move/);
};

/** Operations that a path accepted, that the archive performed, and that are still pending at its end. */
const balanceOf = (path: Path) => {
  const states = path.steps.map(({ state }) => state as Snapshot);
  const pendingAt = (index: number) => states[index]?.context.pending.length ?? 0;
  const count = (is: (type: string, index: number) => boolean) =>
    path.steps.filter(({ event }, index) => is(event.type, index)).length;
  const accepted = count((type, index) => /^image\./.test(type) && pendingAt(index) > pendingAt(index - 1));
  const taken = count((type) => /^xstate\.done\.actor\.(mount|unmount|move)Image$/.test(type));
  /** The archive had performed it, and its reply was lost. */
  const found = path.steps.filter(({ event }, index) => {
    const before = states[index - 1]?.context;
    const operation = before?.pending[0];
    if (event.type !== 'xstate.done.actor.openViewset' || !before?.confirmed || !operation) return false;
    return (
      JSON.stringify(agreed(placementOf(before.confirmed), operation)) === JSON.stringify(placementOf(event.output))
    );
  }).length;
  return { accepted, taken: taken + found, waiting: pendingAt(states.length - 1) };
};

it('walks every transition of the viewset, and emits every operation that it undoes', () =>
  walkAll(
    [
      { ...mounting, invariants },
      { ...leaving, invariants },
    ],
    {
      check: ({ emitted }, path) => {
        const { accepted, taken, waiting } = balanceOf(path);
        const label = path.steps.map(({ event }) => event.type).join(' -> ');
        const rejections = emitted.filter(({ type }) => type === 'operation.rejected').length;
        expect(rejections > 0, label).toBe(accepted - taken - waiting > 0);
      },
    },
  ));
