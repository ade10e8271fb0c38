import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionOutcome } from '../../contract/interactions.ts';
import type { SignInMethod } from '../../contract/sign-in.ts';
import type { Account } from '../db/stores/account-store.ts';

/** An authorization request that waits for a person, as the browser's cookie names it. */
export interface Interaction {
  readonly uid: string;
  readonly clientName: string;
  /** The method that the client asked for. */
  readonly method: SignInMethod | null;
  /** `ui_locales` of the request. */
  readonly language: string | null;
}

/** What a method found out. */
export interface Proof {
  /** Everybody whom it may be; none: the identity has no account here. */
  readonly accounts: readonly Account[];
  readonly method: SignInMethod;
  /** Authentication methods references (RFC 8176). */
  readonly amr: readonly string[];
  /** Two factors by itself: no code of the authenticator is asked for. */
  readonly strong: boolean;
}

export interface Interactions {
  /** @throws Refusal 'sign-in-expired' without the cookie of the interaction that the path names, and after its time */
  current(request: FastifyRequest, reply: FastifyReply): Promise<Interaction>;
  /** Signs in, or asks for what is still missing; the sign-in is written to the log. @throws Refusal 'no-account', 'account-inactive' */
  proved(request: FastifyRequest, reply: FastifyReply, proof: Proof): Promise<InteractionOutcome>;
}
