import { assign, emit, setup } from 'xstate';
import type { HubEvent } from '../../../contract/hub.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import { type Failure, isRefusedAs, isWorthRetrying } from '../../services/failure.ts';
import { port, talkingPort } from '../port.ts';
import {
  applied,
  areAllPossible,
  isDone,
  nothingSelected,
  type Operation,
  type Selection,
  selectionAfter,
  type Wish,
} from './viewset.rules.ts';

export type ViewsetEvent =
  | { type: 'viewset.opened'; viewsetId: string }
  | { type: 'viewset.closed' }
  | { type: 'opening.retried' }
  | { type: 'slot.selected'; itemIndex: number | null }
  | { type: 'tray.selected'; imageUid: string | null }
  | Wish
  /** What an earlier session could not send any more. */
  | { type: 'operations.restored'; operations: readonly Operation[] }
  | { type: 'news.heard'; news: HubEvent }
  | { type: 'connection.restored' }
  /** What was kept of the open viewset is said to be old: an edit elsewhere on the page, thumbnails that became ready. */
  | { type: 'viewset.outdated' };

/** What the machine says aloud: an operation, and all that were meant after it, have been taken back. */
export interface ViewsetEmitted {
  type: 'operation.refused';
  failure: Failure;
}

export interface ViewsetContext {
  /** Which viewset the views ask for; another one than the truth's while the last operations of that one are sent. */
  wanted: string | null;
  /** The open viewset as the archive last told it. */
  truth: Viewset | null;
  /** Not yet agreed by the archive, in order; the first may be on its way. */
  pending: readonly Operation[];
  selection: Selection;
  /** The archive knows more than `truth`. */
  outdated: boolean;
  /** The highest version that news have told of the open viewset. */
  heardVersion: number;
  /** The archive did not answer: what is pending waits for it. */
  late: boolean;
  failure: Failure | null;
}

/** What one call changes, and the version that the person saw. */
export interface Change {
  readonly viewsetId: string;
  readonly version: number;
  readonly operation: Operation;
}

const appliedOnce = new WeakMap<readonly Operation[], { readonly truth: Viewset; readonly shown: Viewset }>();

/** What the person sees; the same object until truth or operations change. Null while none, or another viewset, is asked for. */
export const shownOf = ({ wanted, truth, pending }: ViewsetContext): Viewset | null => {
  if (truth === null || truth.viewSetUuid !== wanted) return null;
  if (pending.length === 0) return truth;
  const known = appliedOnce.get(pending);
  if (known?.truth === truth) return known.shown;
  const shown = applied(truth, pending);
  appliedOnce.set(pending, { truth, shown });
  return shown;
};

/** The version that a piece of news tells of the open viewset; 0 when it is about something else. */
export const toldVersion = ({ truth }: ViewsetContext, news: HubEvent): number =>
  news.name === 'ViewsetChanged' && news.body.viewsetId === truth?.viewSetUuid ? news.body.version : 0;

/** No word on whether it may be done: the same call may succeed later. Without a sign-in it is kept for the next one. */
const isDelay = (failure: Failure): boolean =>
  isWorthRetrying(failure) || isRefusedAs(failure, 'too-many-requests') || isRefusedAs(failure, 'not-signed-in');

/** Somebody else was quicker. */
export const conflict: Failure = { kind: 'refused', status: 409, code: 'conflict', errors: [] };

/** What the chart of the viewset uses: ports, guards, actions, delays. */
export const chart = setup({
  types: { context: {} as ViewsetContext, events: {} as ViewsetEvent, emitted: {} as ViewsetEmitted },
  actors: {
    openViewset: port<Viewset, { viewsetId: string }>('openViewset'),
    mountImage: port<Viewset, Change>('mountImage'),
    unmountImage: port<Viewset, Change>('unmountImage'),
    /** Answers with the viewsets that changed. */
    moveImage: port<readonly Viewset[], Change>('moveImage'),
    watchViewset: talkingPort<{ viewsetId: string }>('watchViewset'),
  },
  guards: {
    otherViewset: ({ context }, viewsetId: string) => viewsetId !== context.wanted,
    otherViewsetMustWait: ({ context }, viewsetId: string) =>
      viewsetId !== context.wanted && context.pending.length > 0,
    allPossible: ({ context }, operations: readonly Operation[]) => {
      const shown = shownOf(context);
      return shown !== null && areAllPossible(shown, operations);
    },
    possible: (_, operation: Operation | null) => operation !== null,
    anyPending: ({ context }) => context.pending.length > 0,
    mountNext: ({ context }) => context.pending[0]?.kind === 'mount',
    unmountNext: ({ context }) => context.pending[0]?.kind === 'unmount',
    moveNext: ({ context }) => context.pending[0]?.kind === 'move' || context.pending[0]?.kind === 'move-out',
    noneWanted: ({ context }) => context.wanted === null,
    anotherWanted: ({ context }) => context.wanted !== context.truth?.viewSetUuid,
    outdated: ({ context }) => context.outdated || context.heardVersion > (context.truth?.version ?? 0),
    mustWait: ({ context }, failure: Failure) => context.pending.length > 0 && isDelay(failure),
    /** A call whose answer was lost: the archive did it. */
    firstDone: ({ context: { pending } }, truth: Viewset) => {
      const [first, ...others] = pending;
      return first !== undefined && isDone(truth, first) && areAllPossible(truth, others);
    },
    pendingImpossible: ({ context }, truth: Viewset) => !areAllPossible(truth, context.pending),
    gone: (_, failure: Failure) => failure.kind === 'refused' && !isWorthRetrying(failure),
  },
  actions: {
    want: assign({ wanted: (_, wanted: string | null) => wanted }),
    forgetViewset: assign({
      truth: null,
      pending: [],
      selection: nothingSelected,
      outdated: false,
      heardVersion: 0,
      late: false,
    }),
    /** From here on it counts what is said while the truth is fetched. */
    listenAnew: assign({ outdated: false, heardVersion: ({ context }) => context.truth?.version ?? 0 }),
    takeTruth: assign({
      truth: (_, truth: Viewset) => truth,
      late: false,
      heardVersion: ({ context }, truth) => Math.max(context.heardVersion, truth.version),
    }),
    /** The reply to the first pending operation; null when it was done, but the reply does not tell of the open viewset. */
    takeReply: assign(({ context }, reply: Viewset | null) => ({
      truth: reply ?? (context.truth && applied(context.truth, context.pending.slice(0, 1))),
      pending: context.pending.slice(1),
      outdated: context.outdated || reply === null,
      late: false,
    })),
    queue: assign(({ context }, operation: Operation | null) => {
      const shown = shownOf(context);
      if (!operation || !shown) return {};
      return {
        pending: [...context.pending, operation],
        selection: selectionAfter(context.selection, shown, operation),
      };
    }),
    queueAll: assign({
      pending: ({ context }, operations: readonly Operation[]) => [...context.pending, ...operations],
    }),
    dropPending: assign({ pending: [] }),
    dropFirst: assign({ pending: ({ context }) => context.pending.slice(1) }),
    rememberLate: assign({ late: true }),
    /** All that is pending was meant on top of what the archive refused. */
    takeBack: assign({ pending: [], outdated: true, late: false }),
    rememberOutdated: assign({ outdated: true }),
    /** An own change is told of too, once. A second word on the same version is about how an image is shown. */
    hearVersion: assign(({ context }, version: number) => ({
      outdated: context.outdated || (version === context.heardVersion && version === context.truth?.version),
      heardVersion: Math.max(context.heardVersion, version),
    })),
    rememberFailure: assign({ failure: (_, failure: Failure | null) => failure }),
    select: assign({ selection: ({ context }, change: Partial<Selection>) => ({ ...context.selection, ...change }) }),
    tellRefused: emit((_, failure: Failure): ViewsetEmitted => ({ type: 'operation.refused', failure })),
  },
  delays: { loadingDelay: 300, retryDelay: 5_000 },
});

/** The first pending operation as a call. */
export const changeOf = ({ truth, pending: [operation] }: ViewsetContext): Change => {
  if (!truth || !operation) throw new Error('Nothing is pending');
  return { viewsetId: truth.viewSetUuid, version: truth.version, operation };
};

/** Of the viewsets that a move changed, the open one. */
export const replyOf = ({ truth }: ViewsetContext, changed: readonly Viewset[]): Viewset | null =>
  changed.find(({ viewSetUuid }) => viewSetUuid === truth?.viewSetUuid) ?? null;
