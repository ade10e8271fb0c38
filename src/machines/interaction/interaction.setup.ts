import { assign, emit, setup } from 'xstate';
import type { InteractionOutcome, interactionGet } from '../../../contract/interactions.ts';
import type { ReplyOf } from '../../../contract/route.ts';
import type { MailLanguage, SignInMethod } from '../../../contract/sign-in.ts';
import { type Failure, hasProblemCode } from '../../services/failure.ts';
import { port } from '../port.ts';

/**
 * What identifies the user. `code` (of the authenticator, or a recovery code) and `account` follow the outcomes `code-needed` and
 * `choose-account`; a passkey also follows `code-needed`.
 */
export type Identification =
  | { readonly kind: 'password'; readonly email: string; readonly password: string }
  | { readonly kind: 'sms-code'; readonly code: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'passkey' }
  | { readonly kind: 'account'; readonly id: string };

export type InteractionEvent =
  | { type: 'details.retried' }
  | { type: 'identification.requested'; identification: Identification }
  /** A code by text message to the telephone of this account. */
  | { type: 'sms.requested'; email: string; language: MailLanguage }
  /** The user enters another address instead of the code of the text message. */
  | { type: 'code.dismissed' }
  /** By a BankID order, as the next event. */
  | { type: 'user.identified'; outcome: InteractionOutcome }
  | { type: 'identification.failed'; failure: Failure }
  /** The user returns to the choice of a method. */
  | { type: 'method.changed' }
  | { type: 'path.entered'; path: string };

/** Emitted when the page should navigate within the app, or leave it. */
export type InteractionEmitted =
  | { type: 'navigation.requested'; path: string }
  | { type: 'redirect.requested'; address: string };

type InteractionDetails = ReplyOf<typeof interactionGet>;

export interface SentSms {
  readonly email: string;
  readonly goodForSeconds: number;
  /** When another code can be requested, in milliseconds since 1970. */
  readonly againAt: number;
}

export interface InteractionContext {
  readonly uid: string;
  clientName: string | null;
  /** The method requested by the client; null when the user chooses. */
  method: SignInMethod | null;
  outcome: InteractionOutcome | null;
  /** `isAgain`: a code was sent before. */
  sms: (SentSms & { readonly isAgain: boolean }) | null;
  failure: Failure | null;
}

/** Ports, guards, actions and delays of an interaction. */
export const chart = setup({
  types: {
    context: {} as InteractionContext,
    events: {} as InteractionEvent,
    emitted: {} as InteractionEmitted,
    input: {} as { uid: string },
  },
  actors: {
    loadDetails: port<InteractionDetails, { uid: string }>('loadDetails'),
    identify: port<InteractionOutcome, { uid: string; identification: Identification }>('identify'),
    requestSms: port<SentSms, { uid: string; email: string; language: MailLanguage }>('requestSms'),
    /** Aborts the request; the reply names the address to return to. */
    abort: port<{ redirectTo: string }, { uid: string }>('abort'),
  },
  guards: {
    /** Codes and accounts answer a step that asks for them. */
    isExpected: ({ context: { outcome, sms } }, { kind }: Identification) => {
      if (kind === 'code') return outcome?.outcome === 'code-needed';
      if (kind === 'passkey') return outcome === null || outcome.outcome === 'code-needed';
      if (kind === 'account') return outcome?.outcome === 'choose-account';
      return outcome === null && (kind === 'password' || sms !== null);
    },
    awaitsSmsCode: ({ context: { outcome, sms } }) => outcome === null && sms !== null,
    isUnidentified: ({ context }) => context.outcome === null,
    /** It expired, or belongs to another browser. */
    expired: ({ context }) => hasProblemCode(context.failure, 'sign-in-expired'),
    finished: ({ context }) => context.outcome?.outcome === 'finished',
    choosesMethod: ({ context }) => context.method === null,
  },
  actions: {
    setDetails: assign((_, { clientName, method, pending }: InteractionDetails) => ({
      clientName,
      method,
      outcome: pending,
      failure: null,
    })),
    setOutcome: assign({ outcome: (_, outcome: InteractionOutcome) => outcome, failure: null }),
    setSms: assign({ sms: ({ context }, sms: SentSms) => ({ ...sms, isAgain: context.sms !== null }) }),
    setFailure: assign({ failure: (_, failure: Failure) => failure }),
    clearFailure: assign({ failure: null }),
    clearIdentification: assign({ outcome: null, sms: null, failure: null }),
    requestNavigation: emit((_, path: string): InteractionEmitted => ({ type: 'navigation.requested', path })),
    requestRedirect: emit((_, address: string): InteractionEmitted => ({ type: 'redirect.requested', address })),
  },
  delays: { retryDelay: 5_000 },
});
