import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionOutcome } from '../../contract/interactions.ts';
import type { SignInMethod } from '../../contract/sign-in.ts';
import type { Account } from '../db/stores/account-store.ts';

/** A pending authorization request, identified by the browser's cookie. */
export interface Interaction {
  readonly uid: string;
  readonly clientName: string;
  /** Dentarium itself; false for another program of the clinic. */
  readonly isOwnClient: boolean;
  /** The method that the client requested. */
  readonly method: SignInMethod | null;
  /** `ui_locales` of the request. */
  readonly language: string | null;
}

/** Result of a sign-in method. */
export interface Proof {
  /** All matching accounts; empty when the identity has none here. */
  readonly accounts: readonly Account[];
  readonly method: SignInMethod;
  /** Authentication methods references (RFC 8176). */
  readonly amr: readonly string[];
  /** The method itself has two factors, so no authenticator code is required. */
  readonly strong: boolean;
}

export interface Interactions {
  /** @throws ProblemError 'sign-in-expired' without the cookie of the interaction in the path, or when it has expired */
  current(request: FastifyRequest, reply: FastifyReply): Promise<Interaction>;
  /** Signs in or returns the missing step; sign-ins are logged. @throws ProblemError 'no-account', 'account-inactive' */
  proved(request: FastifyRequest, reply: FastifyReply, proof: Proof): Promise<InteractionOutcome>;
}
