import { assign, setup } from 'xstate';
import type { BankIdHint } from '../../../contract/bank-id-orders.ts';
import type { InteractionOutcome } from '../../../contract/interactions.ts';
import { type Failure, hasProblemCode, isArchiveUnavailable } from '../../services/failure.ts';
import { callbackPort, port } from '../port.ts';

/** The device that holds the user's BankID. */
export type BankIdDevice = 'thisDevice' | 'otherDevice';

export type BankIdEvent =
  | { type: 'order.retried' }
  | { type: 'order.cancelled' }
  | { type: 'device.chosen'; device: BankIdDevice };

/** Reply to the start of an order: the secret that opens the app on this device, and the current QR content. */
export interface StartedOrder {
  readonly autoStartToken: string;
  readonly qr: string;
}

export type Collected =
  | { readonly status: 'pending'; readonly hint: BankIdHint; readonly qr: string | null }
  | { readonly status: 'failed'; readonly hint: BankIdHint }
  /** The next step of a sign-in; null for a locked session. */
  | { readonly status: 'complete'; readonly next: InteractionOutcome | null };

export interface BankIdContext {
  /** Interaction that the order identifies the user for; null: the locked session. */
  readonly uid: string | null;
  qr: string | null;
  hint: BankIdHint | null;
  autoStartToken: string | null;
  /** Orders that expired unused since the user last requested one. */
  unused: number;
  /** Consecutive polls without an answer. */
  misses: number;
  failure: Failure | null;
  outcome: InteractionOutcome | null;
}

/** An unused order expires after half a minute; three leave enough time to find the phone. */
const maxUnused = 3;
const maxMisses = 5;

const isOpenedByUser = (hint: BankIdHint | null): boolean =>
  hint !== null && hint !== 'outstandingTransaction' && hint !== 'noClient';

/** Ports, guards, actions and delays of a BankID order. */
export const chart = setup({
  types: {
    context: {} as BankIdContext,
    events: {} as BankIdEvent,
    input: {} as { uid: string | null; device?: BankIdDevice },
  },
  actors: {
    startOrder: port<StartedOrder, { uid: string | null }>('startOrder'),
    collectOrder: port<Collected, { uid: string | null }>('collectOrder'),
    /** Runs while an order may be pending; stopping it cancels the order. */
    holdOrder: callbackPort<{ uid: string | null }>('holdOrder'),
  },
  guards: {
    hasThisDevice: (_, device: BankIdDevice) => device === 'thisDevice',
    isComplete: (_, collected: Collected) => collected.status === 'complete',
    isPending: (_, collected: Collected) => collected.status === 'pending',
    /** The order expired before the app opened it: a new one is started, a limited number of times. */
    ranOutUnused: ({ context }, collected: Collected) =>
      collected.status === 'failed' &&
      (collected.hint === 'startFailed' || collected.hint === 'expiredTransaction') &&
      !isOpenedByUser(context.hint) &&
      context.unused + 1 < maxUnused,
    worthRetrying: ({ context }, failure: Failure) =>
      isArchiveUnavailable(failure) ||
      hasProblemCode(failure, 'too-many-requests') ||
      (hasProblemCode(failure, 'method-away') && context.misses + 1 < maxMisses),
  },
  actions: {
    resetUnusedCount: assign({ unused: 0 }),
    clearOrder: assign({ qr: null, hint: null, autoStartToken: null, misses: 0, failure: null }),
    setOrder: assign({
      qr: (_, { qr }: StartedOrder) => qr,
      autoStartToken: (_, { autoStartToken }: StartedOrder) => autoStartToken,
    }),
    setPending: assign((_, collected: Collected) =>
      collected.status === 'pending' ? { hint: collected.hint, qr: collected.qr, misses: 0 } : {},
    ),
    setFailed: assign((_, collected: Collected) =>
      collected.status === 'failed' ? { hint: collected.hint, qr: null, autoStartToken: null } : {},
    ),
    setOutcome: assign((_, collected: Collected) =>
      collected.status === 'complete' ? { outcome: collected.next, qr: null, autoStartToken: null } : {},
    ),
    countUnused: assign({ unused: ({ context }) => context.unused + 1 }),
    // A QR code expires after one second.
    countMiss: assign({
      qr: null,
      misses: ({ context }, failure: Failure) => (isArchiveUnavailable(failure) ? context.misses : context.misses + 1),
    }),
    setFailure: assign({
      failure: (_, failure: Failure) => failure,
      qr: null,
      autoStartToken: null,
    }),
  },
  delays: { collectInterval: 1_000 },
});
