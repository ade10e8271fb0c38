import { type ViewsetActor, viewsetMachine } from '../../../src/machines/viewset/viewset.machine.ts';
import { done, failed, type Model, offline, refused } from '../../paths.ts';
import { applyOperation, type Placement, placementOf, viewsetOf } from '../viewset-fixtures.ts';

type Snapshot = ReturnType<ViewsetActor['getSnapshot']>;

const first: Placement = { slots: { 1: 'a', 2: null }, tray: ['b'] };
const other: Placement = { slots: { 1: null }, tray: [] };
/** The viewset as another user left it meanwhile. */
const elsewhere: Placement = { slots: { 1: null, 2: 'b' }, tray: ['a'] };

const calls = ['openViewset', 'mountImage', 'unmountImage', 'moveImage'] as const;
/** Returns the calls without a reply yet. */
export const runningCalls = (snapshot: Snapshot) => calls.filter((call) => call in snapshot.children);

/** The archive accepts the call, by the rules of contract/viewsets.ts. */
const answers = (raw: { readonly context: unknown; readonly children: object }) => {
  const snapshot = raw as Snapshot;
  const { requestedId, confirmed, pending } = snapshot.context;
  const [call] = runningCalls(snapshot);
  if (call === undefined) return [];
  if (call === 'openViewset') {
    if (!confirmed) return [done(call, requestedId === 'v' ? viewsetOf('v', 1, first) : viewsetOf('w', 1, other))];
    const [next] = pending;
    const alone = next ? applyOperation(placementOf(confirmed), next) : null;
    return [
      done(call, confirmed),
      done(call, viewsetOf(confirmed.viewSetUuid, confirmed.version + 1, elsewhere)),
      // A call whose reply was lost on the way.
      ...(alone ? [done(call, viewsetOf(confirmed.viewSetUuid, confirmed.version + 1, alone))] : []),
    ];
  }
  const operation = pending[0];
  const result = confirmed && operation && applyOperation(placementOf(confirmed), operation);
  if (!result) return [];
  const reply = viewsetOf(confirmed.viewSetUuid, confirmed.version + 1, result);
  return [done(call, call === 'moveImage' ? [viewsetOf('w', 2, other), reply] : reply)];
};

const placementText = (viewset: Parameters<typeof placementOf>[0] | null) =>
  viewset && `${viewset.viewSetUuid}${viewset.version} ${JSON.stringify(placementOf(viewset))}`;

/** Of viewsets, which image is mounted where. */
const dataOf: Model['dataOf'] = ({ type, output }) => {
  if (!/^xstate\.done\.actor\.(open|mount|unmount|move)/.test(type)) return null;
  const emitted = [output as Parameters<typeof placementOf>[0]].flat();
  return Object.fromEntries(
    emitted.map((viewset) => [`${viewset.viewSetUuid}, ${viewset.version}`, placementOf(viewset)]),
  );
};

/** Restored operations are tested in archive-unavailable.test.ts: here they would only multiply the paths. */
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
const moveIn = { type: 'image.moved-in', imageUid: 'c', viewsetId: 'w', from: 1, itemIndex: 2 };

/** One viewset and its change events. */
export const mounting: Model = {
  name: 'one viewset',
  machine: viewsetMachine,
  events: [
    ...openings,
    { type: 'opening.retried' },
    { type: 'slot.selected', itemIndex: 2 },
    { type: 'tray.selected', imageUid: 'b' },
    mount,
    move,
    restored,
    { type: 'connection.restored' },
    { type: 'viewset.outdated' },
  ],
  answers,
  dataOf,
  facts: ({ context }) => ({
    requestedId: context.requestedId,
    confirmed: placementText(context.confirmed),
    pending: context.pending,
    outdated: context.outdated,
    failure: context.failure?.kind,
  }),
  stopWhen: ({ context }) => context.pending.length > 1 || (context.confirmed?.version ?? 0) > 2,
};

/** Every operation, and leaving for another viewset while they are sent. */
export const leaving: Model = {
  ...mounting,
  name: 'another viewset',
  events: [
    ...openings,
    { type: 'viewset.opened', viewsetId: 'w' },
    mount,
    unmount,
    { type: 'image.reordered', from: 1, to: null },
    moveIn,
    // The viewset that was left is not among those that a move changed.
    done('moveImage', []),
    ...['opening.retried', 'connection.restored', 'viewset.outdated'].map((type) => ({ type })),
    restored,
    { type: 'slot.selected', itemIndex: null },
    { type: 'tray.selected', imageUid: null },
  ],
  stopWhen: ({ context }) =>
    context.pending.length > 2 ||
    (context.confirmed?.version ?? 0) > 1 ||
    (context.requestedId === 'w' && !context.confirmed),
};
