import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { InteractionOutcome } from '../../contract/interactions.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { openid, signInMethod } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { type Account, accountById } from '../db/stores/account-store.ts';
import { Refusal } from '../refusal.ts';
import type { IdentityLog } from './identity-log.ts';
import type { Interaction, Interactions, Proof } from './interactions.ts';
import { type PendingProof, pendingProofs } from './pending-proofs.ts';
import type { Providers } from './providers.ts';
import type { SecondFactor } from './second-factor.ts';

export interface InteractionDependencies {
  readonly db: Kysely<Schema>;
  readonly providers: Providers;
  readonly secondFactor: SecondFactor;
  readonly log: IdentityLog;
}

/** What the calls of the interaction's pages do, beside what every method needs. */
export interface OwnInteractions extends Interactions {
  /** What is still asked of the person; null when nothing was proved. */
  pending(request: FastifyRequest, reply: FastifyReply): Promise<InteractionOutcome | null>;
  /** @throws Refusal 'sign-in-expired', 'incorrect-code', 'too-many-requests' */
  code(request: FastifyRequest, reply: FastifyReply, code: string): Promise<InteractionOutcome>;
  /** @throws Refusal 'sign-in-expired', 'no-account' when it was not among the offered */
  account(request: FastifyRequest, reply: FastifyReply, id: string): Promise<InteractionOutcome>;
  /** Where the browser goes after giving up. */
  abort(request: FastifyRequest, reply: FastifyReply): Promise<string>;
}

const shown = ({ id, role, customer }: Account) => ({ id, role, clinic: customer?.name ?? null });

/** The address without its origin: the browser is there already, and a proxy may hide from us how it is called. */
const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
};

/**
 * Interactions as oidc-provider keeps them: signed cookie below `/interaction/:uid`, row in the database. What was proved so far waits beside it,
 * so any node can answer the next call.
 */
export const interactionsOf = ({ db, providers, secondFactor, log }: InteractionDependencies): OwnInteractions => {
  const proofs = pendingProofs(db);

  const detailsOf = async (request: FastifyRequest, reply: FastifyReply) => {
    const provider = providers.current();
    const found = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'SessionNotFound') throw new Refusal('sign-in-expired');
      throw error;
    });
    const named = (request.params as { uid?: unknown }).uid;
    // What was answered is over, though its row lives on until the browser has come back with it.
    if (found.uid !== named || found.result) throw new Refusal('sign-in-expired');
    return { provider, found };
  };

  const current = async (request: FastifyRequest, reply: FastifyReply): Promise<Interaction> => {
    const { provider, found } = await detailsOf(request, reply);
    const client = await provider.Client.find(String(found.params.client_id));
    const method = signInMethod.safeParse(found.params[openid.methodParameter]);
    const language = found.params.ui_locales;
    return {
      uid: found.uid,
      clientName: client?.clientName ?? found.uid,
      method: method.success ? method.data : null,
      language: typeof language === 'string' ? language : null,
    };
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply, result: object): Promise<string> => {
    const { provider, found } = await detailsOf(request, reply);
    const options = { mergeWithLastSubmission: false };
    const returnTo = await provider.interactionResult(request.raw, reply.raw, result, options);
    await proofs.forget(found.uid);
    return pathOf(returnTo);
  };

  const finish = async (
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    { method, amr }: Pick<Proof, 'method' | 'amr'>,
  ): Promise<InteractionOutcome> => {
    const login = { accountId: account.id, amr, remember: false };
    const redirectTo = await answer(request, reply, { login, stamp: account.securityStamp });
    await log.note({ action: 'sign-in', account, detail: method });
    return { outcome: 'finished', redirectTo };
  };

  const settle = async (
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    proof: Pick<Proof, 'method' | 'amr' | 'strong'>,
  ): Promise<InteractionOutcome> => {
    if (!account.twoFactorEnabled || proof.strong) return finish(request, reply, account, proof);
    const { uid } = await current(request, reply);
    const { method, amr, strong } = proof;
    await proofs.keep(uid, { step: 'code', accounts: [account], method, amr, strong });
    return { outcome: 'code-needed' };
  };

  /** Those of the proof who are the same as when it was given. */
  const accountsOf = async ({ accounts }: PendingProof): Promise<Account[]> => {
    const found = await Promise.all(accounts.map(({ id }) => accountById(db, id)));
    return found.flatMap((account, index) =>
      account?.isActive && account.securityStamp === accounts[index]?.securityStamp ? [account] : [],
    );
  };

  const waiting = async (request: FastifyRequest, reply: FastifyReply, step: PendingProof['step']) => {
    const { uid } = await current(request, reply);
    const proof = await proofs.read(uid);
    const accounts = proof ? await accountsOf(proof) : [];
    if (proof?.step !== step || accounts.length === 0) throw new Refusal('sign-in-expired');
    return { uid, proof, accounts };
  };

  const refuse = async (code: 'no-account' | 'account-inactive', account: Account | null): Promise<never> => {
    await log.note({ action: 'sign-in.refused', account, detail: code });
    throw new Refusal(code);
  };

  return {
    current,
    proved: async (request, reply, proof) => {
      const { uid } = await current(request, reply);
      const [first = null] = proof.accounts;
      if (!first) return refuse('no-account', null);
      const active = proof.accounts.filter(({ isActive }) => isActive);
      const [one, ...more] = active;
      if (!one) return refuse('account-inactive', first);
      if (more.length === 0) return settle(request, reply, one, proof);
      const { method, amr, strong } = proof;
      await proofs.keep(uid, { step: 'account', accounts: active, method, amr, strong });
      return { outcome: 'choose-account', accounts: active.map(shown) };
    },
    pending: async (request, reply) => {
      const { uid } = await current(request, reply);
      const proof = await proofs.read(uid);
      if (!proof) return null;
      const accounts = await accountsOf(proof);
      if (accounts.length === 0) return null;
      return proof.step === 'code'
        ? { outcome: 'code-needed' }
        : { outcome: 'choose-account', accounts: accounts.map(shown) };
    },
    code: async (request, reply, code) => {
      const { uid, proof, accounts } = await waiting(request, reply, 'code');
      const [account] = accounts;
      if (!account || !(await proofs.countGuess(uid))) throw new Refusal('sign-in-expired');
      if (await secondFactor.accepts(account, code))
        return finish(request, reply, account, { method: proof.method, amr: [...proof.amr, 'otp'] });
      await log.note({ action: 'sign-in.refused', account, detail: 'incorrect-code' });
      throw new Refusal('incorrect-code');
    },
    account: async (request, reply, id) => {
      const { proof, accounts } = await waiting(request, reply, 'account');
      const chosen = accounts.find((account) => account.id === id);
      if (!chosen) throw new Refusal('no-account');
      return settle(request, reply, chosen, proof);
    },
    abort: (request, reply) =>
      answer(request, reply, { error: 'access_denied', error_description: 'sign-in-cancelled' satisfies ProblemCode }),
  };
};
