import { assign, setup } from 'xstate';
import type { BankIdHint, InteractionOutcome } from '../../../contract/interactions.ts';
import { type Failure, isAway, isRefusedAs } from '../../services/failure.ts';
import { port, talkingPort } from '../port.ts';

/** Where the person's BankID is. */
export type BankIdDevice = 'thisDevice' | 'otherDevice';

export type BankIdEvent =
  | { type: 'order.retried' }
  | { type: 'order.cancelled' }
  | { type: 'device.chosen'; device: BankIdDevice };

/** What an order is started with: the secret that opens the app of this device, and what the code shows at this second. */
export interface StartedOrder {
  readonly autoStartToken: string;
  readonly qr: string;
}

export type Collected =
  | { readonly status: 'pending'; readonly hint: BankIdHint; readonly qr: string | null }
  | { readonly status: 'failed'; readonly hint: BankIdHint }
  | { readonly status: 'complete'; readonly next: InteractionOutcome };

export interface BankIdContext {
  readonly uid: string;
  qr: string | null;
  hint: BankIdHint | null;
  autoStartToken: string | null;
  /** Orders that ran out before anybody used them, since a person last asked for one. */
  unused: number;
  /** Times in a row that BankID could not be asked. */
  misses: number;
  failure: Failure | null;
  outcome: InteractionOutcome | null;
}

/** An order that nobody takes up lives for half a minute: three of them are time enough to find one's telephone. */
const mostUnused = 3;
const mostMisses = 5;

const isTakenUp = (hint: BankIdHint | null): boolean =>
  hint !== null && hint !== 'outstandingTransaction' && hint !== 'noClient';

/** What the chart of an order uses. */
export const chart = setup({
  types: {
    context: {} as BankIdContext,
    events: {} as BankIdEvent,
    input: {} as { uid: string; device?: BankIdDevice },
  },
  actors: {
    startOrder: port<StartedOrder, { uid: string }>('startOrder'),
    collectOrder: port<Collected, { uid: string }>('collectOrder'),
    /** Lives as long as an order may be under way; an order that is left is cancelled. */
    holdOrder: talkingPort<{ uid: string }>('holdOrder'),
  },
  guards: {
    hasThisDevice: (_, device: BankIdDevice) => device === 'thisDevice',
    isComplete: (_, collected: Collected) => collected.status === 'complete',
    isPending: (_, collected: Collected) => collected.status === 'pending',
    /** It ran out before anybody opened it: a new one, a few times. */
    ranOutUnused: ({ context }, collected: Collected) =>
      collected.status === 'failed' &&
      (collected.hint === 'startFailed' || collected.hint === 'expiredTransaction') &&
      !isTakenUp(context.hint) &&
      context.unused + 1 < mostUnused,
    worthAskingAgain: ({ context }, failure: Failure) =>
      isAway(failure) ||
      isRefusedAs(failure, 'too-many-requests') ||
      (isRefusedAs(failure, 'method-away') && context.misses + 1 < mostMisses),
  },
  actions: {
    beginAnew: assign({ unused: 0 }),
    forgetOrder: assign({ qr: null, hint: null, autoStartToken: null, misses: 0, failure: null }),
    rememberOrder: assign({
      qr: (_, { qr }: StartedOrder) => qr,
      autoStartToken: (_, { autoStartToken }: StartedOrder) => autoStartToken,
    }),
    rememberPending: assign((_, collected: Collected) =>
      collected.status === 'pending' ? { hint: collected.hint, qr: collected.qr, misses: 0 } : {},
    ),
    rememberFailed: assign((_, collected: Collected) =>
      collected.status === 'failed' ? { hint: collected.hint, qr: null, autoStartToken: null } : {},
    ),
    rememberOutcome: assign((_, collected: Collected) =>
      collected.status === 'complete' ? { outcome: collected.next, qr: null, autoStartToken: null } : {},
    ),
    rememberUnused: assign({ unused: ({ context }) => context.unused + 1 }),
    // A code that is older than a second opens nothing.
    rememberMiss: assign({
      qr: null,
      misses: ({ context }, failure: Failure) => (isAway(failure) ? context.misses : context.misses + 1),
    }),
    rememberFailure: assign({
      failure: (_, failure: Failure) => failure,
      qr: null,
      autoStartToken: null,
    }),
  },
  delays: { collectInterval: 1_000 },
});
