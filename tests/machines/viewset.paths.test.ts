import { expect, it } from 'vitest';
import {
  selectIsOpening,
  selectIsSaveDelayed,
  selectIsSaving,
  selectOpeningFailure,
  selectShownViewset,
  selectShowsLoading,
  type ViewsetActor,
  viewsetMachine,
} from '../../src/machines/viewset/viewset.machine.ts';
import type { Operation } from '../../src/machines/viewset/viewset.rules.ts';
import { done, failed, type Model, offline, type Path, refused } from '../paths.ts';
import { walkAll } from '../replay.ts';
import { agreed, type Hanging, hangingOf, imagesOf, viewsetOf } from './hanging.ts';

type Snapshot = ReturnType<ViewsetActor['getSnapshot']>;

const first: Hanging = { slots: { 1: 'a', 2: null }, tray: ['b'] };
const other: Hanging = { slots: { 1: null }, tray: [] };
/** What somebody else made of it meanwhile. */
const elsewhere: Hanging = { slots: { 1: null, 2: 'b' }, tray: ['a'] };

const changed = (version: number, viewsetId = 'v') =>
  ({
    type: 'news.heard',
    news: { name: 'ViewsetChanged', body: { patientId: 'patient', viewsetId, version } },
  }) as const;

const calls = ['openViewset', 'mountImage', 'unmountImage', 'moveImage'] as const;
const atWork = (snapshot: Snapshot) => calls.filter((call) => call in snapshot.children);

/** The archive agrees to what it was asked, by the words of the contract. */
const answers = (raw: { readonly context: unknown; readonly children: object }) => {
  const snapshot = raw as Snapshot;
  const { wanted, truth, pending } = snapshot.context;
  const [call] = atWork(snapshot);
  if (call === undefined) return [];
  if (call === 'openViewset') {
    if (!truth) return [done(call, wanted === 'v' ? viewsetOf('v', 1, first) : viewsetOf('w', 1, other))];
    const [next] = pending;
    const alone = next ? agreed(hangingOf(truth), next) : null;
    return [
      done(call, truth),
      done(call, viewsetOf(truth.viewSetUuid, truth.version + 1, elsewhere)),
      // A call whose answer was lost on the way.
      ...(alone ? [done(call, viewsetOf(truth.viewSetUuid, truth.version + 1, alone))] : []),
    ];
  }
  const operation = pending[0];
  const result = truth && operation && agreed(hangingOf(truth), operation);
  if (!result) return [];
  const reply = viewsetOf(truth.viewSetUuid, truth.version + 1, result);
  return [done(call, call === 'moveImage' ? [viewsetOf('w', 2, other), reply] : reply)];
};

/** What comes from elsewhere is not known before the reply. */
const isKnown = (operation: Operation) => operation.kind !== 'mount' || operation.from === 'tray';

const outcomeOf = (truth: Hanging, pending: readonly Operation[]): Hanging =>
  pending.filter(isKnown).reduce((hanging, operation) => agreed(hanging, operation) ?? hanging, truth);

const hungText = (viewset: Parameters<typeof hangingOf>[0] | null) =>
  viewset && `${viewset.viewSetUuid}${viewset.version} ${JSON.stringify(hangingOf(viewset))}`;

/** What it is given is tested in away.test.ts: here it would only multiply the paths. */
const restored = { type: 'operations.restored', operations: [] };

const openings = [
  { type: 'viewset.opened', viewsetId: 'v' },
  { type: 'viewset.closed' },
  failed('openViewset', offline),
  failed('openViewset', refused('not-found')),
  failed('mountImage', refused('conflict')),
  failed('unmountImage', refused('no-right')),
  failed('mountImage', offline),
  failed('unmountImage', offline),
  failed('moveImage', refused('not-signed-in')),
  failed('moveImage', refused('no-right')),
] as const;

const mount = { type: 'image.mounted', imageUid: 'b', itemIndex: 1 };
const unmount = { type: 'image.unmounted', itemIndex: 1 };
const move = { type: 'image.reordered', from: 1, to: 2 };
const moveOut = { type: 'image.moved-out', from: 1, viewsetId: 'w', itemIndex: 1 };

/** One viewset, and all that is heard of it. */
const hanging: Model = {
  machine: viewsetMachine,
  events: [
    ...openings,
    { type: 'opening.retried' },
    { type: 'slot.selected', itemIndex: 2 },
    { type: 'tray.selected', imageUid: 'b' },
    mount,
    move,
    restored,
    changed(1),
    changed(2),
    changed(9, 'w'),
    { type: 'connection.restored' },
    { type: 'viewset.outdated' },
  ],
  answers,
  facts: ({ context }) => ({
    wanted: context.wanted,
    truth: hungText(context.truth),
    pending: context.pending,
    outdated: context.outdated,
    heard: context.heardVersion,
    failure: context.failure?.kind,
  }),
  stopWhen: ({ context }) => context.pending.length > 1 || (context.truth?.version ?? 0) > 2,
  invariants: (raw, path) => {
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
  },
};

/** Every operation, and leaving for another viewset while they are sent. */
const leaving: Model = {
  ...hanging,
  events: [
    ...openings,
    { type: 'viewset.opened', viewsetId: 'w' },
    mount,
    unmount,
    { type: 'image.reordered', from: 1, to: null },
    moveOut,
    // The viewset that is left is not among those that a move changed.
    done('moveImage', []),
    ...['opening.retried', 'connection.restored', 'viewset.outdated'].map((type) => ({ type })),
    restored,
    { type: 'slot.selected', itemIndex: null },
    { type: 'tray.selected', imageUid: null },
    changed(9, 'w'),
  ],
  stopWhen: ({ context }) =>
    context.pending.length > 2 || (context.truth?.version ?? 0) > 1 || (context.wanted === 'w' && !context.truth),
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
  walkAll([hanging, leaving], {
    check: ({ told }, path) => {
      const { accepted, taken, waiting } = balanceOf(path);
      const way = path.steps.map(({ event }) => event.type).join(' -> ');
      const refusals = told.filter(({ type }) => type === 'operation.refused').length;
      expect(refusals > 0, way).toBe(accepted - taken - waiting > 0);
    },
  }));
