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
import { leaving, mounting, runningCalls } from './models/viewset.ts';
import { applyOperation, imagesOf, type Placement, placementOf } from './viewset-fixtures.ts';

type Snapshot = ReturnType<ViewsetActor['getSnapshot']>;

/** An image from another viewset is shown only after the reply. */
const isKnown = (operation: Operation) =>
  operation.kind !== 'move-in' && (operation.kind !== 'mount' || operation.from === 'tray');

const expectedPlacement = (confirmed: Placement, pending: readonly Operation[]): Placement =>
  pending
    .filter(isKnown)
    .reduce((placement, operation) => applyOperation(placement, operation) ?? placement, confirmed);

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = path.steps.map(({ event }) => event.type).join(' -> ');
  const { requestedId, confirmed, pending } = snapshot.context;
  const shown = selectShownViewset(snapshot);
  // One call at a time.
  expect(runningCalls(snapshot).length, label).toBeLessThanOrEqual(1);
  // The shown viewset is the confirmed one with all pending operations applied; it is the requested viewset.
  if (confirmed && confirmed.viewSetUuid === requestedId)
    expect(shown && placementOf(shown), label).toEqual(expectedPlacement(placementOf(confirmed), pending));
  else expect(shown, label).toBeNull();
  // No image is lost or duplicated.
  if (shown && confirmed) {
    expect([...imagesOf(placementOf(shown))].sort(), label).toEqual([...imagesOf(placementOf(confirmed))].sort());
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
  // Views show exactly one of the viewset, loading, or a failure.
  expect(selectOpeningFailure(snapshot) !== null, label).toBe(snapshot.matches('failed'));
  if (requestedId !== null)
    expect([shown !== null, selectIsOpening(snapshot), snapshot.matches('failed')].filter(Boolean), label).toHaveLength(
      1,
    );
  if (selectShowsLoading(snapshot)) expect(pending[0]?.kind, label).toMatch(/unmount|move/);
};

/** Counts the operations that the machine accepted, that the archive performed, and that are pending at the end of a path. */
const countOperations = (path: Path) => {
  const states = path.steps.map(({ state }) => state as Snapshot);
  const pendingAt = (index: number) => states[index]?.context.pending.length ?? 0;
  const count = (is: (type: string, index: number) => boolean) =>
    path.steps.filter(({ event }, index) => is(event.type, index)).length;
  const accepted = count((type, index) => /^image\./.test(type) && pendingAt(index) > pendingAt(index - 1));
  const acknowledged = count((type) => /^xstate\.done\.actor\.(mount|unmount|move)Image$/.test(type));
  /** Performed although the reply was lost, as the reloaded viewset shows. */
  const found = path.steps.filter(({ event }, index) => {
    const before = states[index - 1]?.context;
    const operation = before?.pending[0];
    if (event.type !== 'xstate.done.actor.openViewset' || !before?.confirmed || !operation) return false;
    return (
      JSON.stringify(applyOperation(placementOf(before.confirmed), operation)) ===
      JSON.stringify(placementOf(event.output))
    );
  }).length;
  return { accepted, performed: acknowledged + found, pending: pendingAt(states.length - 1) };
};

it('reports an undone operation on every path through all transitions, and only then', () =>
  walkAll(
    [
      { ...mounting, invariants },
      { ...leaving, invariants },
    ],
    {
      check: ({ emitted }, path) => {
        const { accepted, performed, pending } = countOperations(path);
        const label = path.steps.map(({ event }) => event.type).join(' -> ');
        const rejections = emitted.filter(({ type }) => type === 'operation.rejected').length;
        expect(rejections > 0, label).toBe(accepted - performed - pending > 0);
      },
    },
  ));
