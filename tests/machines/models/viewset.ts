import { type ViewsetActor, viewsetMachine } from '../../../src/machines/viewset/viewset.machine.ts';
import { done, failed, type Model, offline, refused } from '../../paths.ts';
import { agreed, type Hanging, hangingOf, viewsetOf } from '../hanging.ts';

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
/** The calls that are under way. */
export const atWork = (snapshot: Snapshot) => calls.filter((call) => call in snapshot.children);

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

const hungText = (viewset: Parameters<typeof hangingOf>[0] | null) =>
  viewset && `${viewset.viewSetUuid}${viewset.version} ${JSON.stringify(hangingOf(viewset))}`;

/** Of viewsets as the archive tells them, what hangs where. */
const dataOf: Model['dataOf'] = ({ type, output }) => {
  if (!/^xstate\.done\.actor\.(open|mount|unmount|move)/.test(type)) return null;
  const told = [output as Parameters<typeof hangingOf>[0]].flat();
  return Object.fromEntries(told.map((viewset) => [`${viewset.viewSetUuid}, ${viewset.version}`, hangingOf(viewset)]));
};

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
export const hanging: Model = {
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
    changed(1),
    changed(2),
    changed(9, 'w'),
    { type: 'connection.restored' },
    { type: 'viewset.outdated' },
  ],
  answers,
  dataOf,
  facts: ({ context }) => ({
    wanted: context.wanted,
    truth: hungText(context.truth),
    pending: context.pending,
    outdated: context.outdated,
    heard: context.heardVersion,
    failure: context.failure?.kind,
  }),
  stopWhen: ({ context }) => context.pending.length > 1 || (context.truth?.version ?? 0) > 2,
};

/** Every operation, and leaving for another viewset while they are sent. */
export const leaving: Model = {
  ...hanging,
  name: 'another viewset',
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
