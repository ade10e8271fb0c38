import { assign, emit, setup } from 'xstate';
import type { Viewset } from '../../../contract/viewsets.ts';
import { type Failure, hasProblemCode, isWorthRetrying } from '../../services/failure.ts';
import { callbackPort, port } from '../port.ts';
import {
  applied,
  areAllPossible,
  isDone,
  nothingSelected,
  type Operation,
  type PlacementRequest,
  type Selection,
  selectionAfter,
} from './viewset.rules.ts';

export type ViewsetEvent =
  | { type: 'viewset.opened'; viewsetId: string }
  | { type: 'viewset.closed' }
  | { type: 'opening.retried' }
  | { type: 'slot.selected'; itemIndex: number | null }
  | { type: 'tray.selected'; imageUid: string | null }
  | PlacementRequest
  /** Operations that an earlier session could not send. */
  | { type: 'operations.restored'; operations: readonly Operation[] }
  | { type: 'connection.restored' }
  /** The cached viewset was invalidated: a change by another user, an edit elsewhere on the page, or finished thumbnails. */
  | { type: 'viewset.outdated' };

/** Emitted when an operation was rejected: it and all later ones were rolled back. */
export interface ViewsetEmitted {
  type: 'operation.rejected';
  failure: Failure;
}

export interface ViewsetContext {
  /** The viewset requested by the views; differs from `confirmed` while its last operations are sent. */
  requestedId: string | null;
  /** The open viewset as last received from the archive. */
  confirmed: Viewset | null;
  /** Operations not yet confirmed, in order; the first may be in flight. */
  pending: readonly Operation[];
  selection: Selection;
  /** The archive has a newer viewset than `confirmed`. */
  outdated: boolean;
  /** The archive did not answer: pending operations wait. */
  isDelayed: boolean;
  failure: Failure | null;
}

/** One call: the operation and the version that the user saw. */
export interface Change {
  readonly viewsetId: string;
  readonly version: number;
  readonly operation: Operation;
}

const appliedOnce = new WeakMap<readonly Operation[], { readonly confirmed: Viewset; readonly shown: Viewset }>();

/** Returns the viewset with pending operations, the same object until it changes. Null if none or another one is requested. */
export const shownOf = ({ requestedId, confirmed, pending }: ViewsetContext): Viewset | null => {
  if (confirmed === null || confirmed.viewSetUuid !== requestedId) return null;
  if (pending.length === 0) return confirmed;
  const known = appliedOnce.get(pending);
  if (known?.confirmed === confirmed) return known.shown;
  const shown = applied(confirmed, pending);
  appliedOnce.set(pending, { confirmed, shown });
  return shown;
};

/** Returns whether the same call may succeed later. After the end of a session operations are stored for the next one. */
const isDelay = (failure: Failure): boolean =>
  isWorthRetrying(failure) || hasProblemCode(failure, 'too-many-requests') || hasProblemCode(failure, 'not-signed-in');

/** Another user changed the viewset first. */
export const conflict: Failure = { kind: 'refused', status: 409, code: 'conflict', errors: [] };

/** Ports, guards, actions and delays of the viewset. */
export const chart = setup({
  types: { context: {} as ViewsetContext, events: {} as ViewsetEvent, emitted: {} as ViewsetEmitted },
  actors: {
    openViewset: port<Viewset, { viewsetId: string }>('openViewset'),
    mountImage: port<Viewset, Change>('mountImage'),
    unmountImage: port<Viewset, Change>('unmountImage'),
    /** Returns the changed viewsets. */
    moveImage: port<readonly Viewset[], Change>('moveImage'),
    watchViewset: callbackPort<{ viewsetId: string }>('watchViewset'),
  },
  guards: {
    otherViewset: ({ context }, viewsetId: string) => viewsetId !== context.requestedId,
    otherViewsetMustWait: ({ context }, viewsetId: string) =>
      viewsetId !== context.requestedId && context.pending.length > 0,
    allPossible: ({ context }, operations: readonly Operation[]) => {
      const shown = shownOf(context);
      return shown !== null && areAllPossible(shown, operations);
    },
    possible: (_, operation: Operation | null) => operation !== null,
    anyPending: ({ context }) => context.pending.length > 0,
    mountNext: ({ context }) => context.pending[0]?.kind === 'mount',
    unmountNext: ({ context }) => context.pending[0]?.kind === 'unmount',
    moveNext: ({ context }) => context.pending[0]?.kind === 'move' || context.pending[0]?.kind === 'move-in',
    noneRequested: ({ context }) => context.requestedId === null,
    otherRequested: ({ context }) => context.requestedId !== context.confirmed?.viewSetUuid,
    outdated: ({ context }) => context.outdated,
    mustWait: ({ context }, failure: Failure) => context.pending.length > 0 && isDelay(failure),
    /** The archive performed the first operation, but its reply was lost. */
    firstDone: ({ context: { pending } }, confirmed: Viewset) => {
      const [first, ...others] = pending;
      return first !== undefined && isDone(confirmed, first) && areAllPossible(confirmed, others);
    },
    pendingImpossible: ({ context }, confirmed: Viewset) => !areAllPossible(confirmed, context.pending),
    gone: (_, failure: Failure) => failure.kind === 'refused' && !isWorthRetrying(failure),
  },
  actions: {
    requestViewset: assign({ requestedId: (_, requestedId: string | null) => requestedId }),
    clearViewset: assign({
      confirmed: null,
      pending: [],
      selection: nothingSelected,
      outdated: false,
      isDelayed: false,
    }),
    resetOutdated: assign({ outdated: false }),
    confirmViewset: assign({
      confirmed: (_, confirmed: Viewset) => confirmed,
      isDelayed: false,
    }),
    /** Applies the reply to the first operation; null if the reply does not contain the open viewset. */
    applyReply: assign(({ context }, reply: Viewset | null) => ({
      confirmed: reply ?? (context.confirmed && applied(context.confirmed, context.pending.slice(0, 1))),
      pending: context.pending.slice(1),
      outdated: context.outdated || reply === null,
      isDelayed: false,
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
    setDelayed: assign({ isDelayed: true }),
    /** Drops all pending operations, as they build on the rejected one. */
    rollBack: assign({ pending: [], outdated: true, isDelayed: false }),
    setOutdated: assign({ outdated: true }),
    setFailure: assign({ failure: (_, failure: Failure | null) => failure }),
    select: assign({ selection: ({ context }, change: Partial<Selection>) => ({ ...context.selection, ...change }) }),
    emitRejected: emit((_, failure: Failure): ViewsetEmitted => ({ type: 'operation.rejected', failure })),
  },
  delays: { loadingDelay: 300, retryDelay: 5_000 },
});

/** Returns the first pending operation as a call. */
export const changeOf = ({ confirmed, pending: [operation] }: ViewsetContext): Change => {
  if (!confirmed || !operation) throw new Error('No pending operation');
  return { viewsetId: confirmed.viewSetUuid, version: confirmed.version, operation };
};

/** Returns the open viewset from the reply to a move. */
export const replyOf = ({ confirmed }: ViewsetContext, changed: readonly Viewset[]): Viewset | null =>
  changed.find(({ viewSetUuid }) => viewSetUuid === confirmed?.viewSetUuid) ?? null;
