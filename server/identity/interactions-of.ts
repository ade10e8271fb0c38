import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { InteractionOutcome } from '../../contract/interactions.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { openid, signInMethod } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { type Account, accountById } from '../db/stores/account-store.ts';
import { newSession } from '../db/stores/sessions.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { isTwoFactorDue } from '../domain/session-limits.ts';
import { clientAddress } from '../web/client-address.ts';
import type { IdentityLog } from './identity-log.ts';
import type { Interaction, Interactions, Proof } from './interactions.ts';
import { withOwnOriginHeaders } from './own-origin-headers.ts';
import type { PasskeyRefusal } from './passkeys/passkey-ceremonies.ts';
import { type PendingProof, pendingProofs } from './pending-proofs.ts';
import type { Providers } from './providers.ts';
import { factorsOf, type SecondFactor } from './second-factor.ts';

export interface InteractionDependencies {
  readonly db: Kysely<Schema>;
  readonly providers: Providers;
  readonly secondFactor: SecondFactor;
  readonly log: IdentityLog;
  /** Public URL of the archive. */
  readonly publicUrl: string;
}

/** Operations of the sign-in pages, in addition to those that every method needs. */
export interface OwnInteractions extends Interactions {
  /** Returns the missing step; null when nothing was proved yet. */
  pending(request: FastifyRequest, reply: FastifyReply): Promise<InteractionOutcome | null>;
  /** @throws ProblemError 'sign-in-expired', 'incorrect-code', 'too-many-requests' */
  code(request: FastifyRequest, reply: FastifyReply, code: string): Promise<InteractionOutcome>;
  /** Returns the account whose second factor is missing; null in other steps. */
  accountAtCode(request: FastifyRequest, reply: FastifyReply): Promise<Account | null>;
  /** Completes with a passkey as second factor. `refusalOf`: why it is refused. @throws ProblemError 'sign-in-expired', 'incorrect-passkey' */
  passkey(
    request: FastifyRequest,
    reply: FastifyReply,
    refusalOf: (account: Account) => Promise<PasskeyRefusal | null>,
  ): Promise<InteractionOutcome>;
  /** @throws ProblemError 'sign-in-expired', 'no-account' when it was not among the offered accounts */
  account(request: FastifyRequest, reply: FastifyReply, id: string): Promise<InteractionOutcome>;
  /** Returns the redirect target after cancelling. */
  abort(request: FastifyRequest, reply: FastifyReply): Promise<string>;
}

type SecondRefusal = 'incorrect-code' | PasskeyRefusal | null;

const shown = ({ id, role, customer }: Account) => ({ id, role, clinic: customer?.name ?? null });

/** Returns the URL without its origin, because behind a proxy the browser may use another one. */
const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
};

/**
 * Creates the interactions on top of oidc-provider: a signed cookie below `/interaction/:uid` and a row in the database. Pending proofs are stored
 * too, so any node can answer the next request.
 */
export const interactionsOf = ({
  db,
  providers,
  secondFactor,
  log,
  publicUrl,
}: InteractionDependencies): OwnInteractions => {
  const proofs = pendingProofs(db);

  const detailsOf = async (request: FastifyRequest, reply: FastifyReply) => {
    const provider = providers.current();
    const found = await provider
      .interactionDetails(withOwnOriginHeaders(request, publicUrl), reply.raw)
      .catch((error: unknown) => {
        if (error instanceof Error && error.name === 'SessionNotFound') throw new ProblemError('sign-in-expired');
        throw error;
      });
    const named = (request.params as { uid?: unknown }).uid;
    // The row of a finished interaction exists until the browser has been redirected.
    if (found.uid !== named || found.result) throw new ProblemError('sign-in-expired');
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
      isOwnClient: client?.clientId === openid.clientId,
      method: method.success ? method.data : null,
      language: typeof language === 'string' ? language : null,
    };
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply, result: object): Promise<string> => {
    const { provider, found } = await detailsOf(request, reply);
    const options = { mergeWithLastSubmission: false };
    const returnTo = await provider.interactionResult(
      withOwnOriginHeaders(request, publicUrl),
      reply.raw,
      result,
      options,
    );
    await proofs.forget(found.uid);
    return pathOf(returnTo);
  };

  const finish = async (
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    { method, amr, strong }: Pick<Proof, 'method' | 'amr' | 'strong'>,
  ): Promise<InteractionOutcome> => {
    const login = { accountId: account.id, amr, remember: false };
    const address = clientAddress(request);
    const device = request.headers['user-agent'];
    const session = newSession({ method, isStrong: strong, address, device });
    const redirectTo = await answer(request, reply, { login, stamp: account.securityStamp, session });
    await log.note({ action: 'sign-in', account, detail: method, address });
    return { outcome: 'finished', redirectTo };
  };

  const settle = async (
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    proof: Pick<Proof, 'method' | 'amr' | 'strong'>,
  ): Promise<InteractionOutcome> => {
    if (proof.strong) return finish(request, reply, account, proof);
    const { uid, isOwnClient } = await current(request, reply);
    if (!account.twoFactorEnabled) {
      // Our own pages lead to the set-up; another program would get tokens without it.
      if (!isOwnClient && isTwoFactorDue(account.policy, new Date())) throw new ProblemError('two-factor-needed');
      return finish(request, reply, account, proof);
    }
    const { method, amr, strong } = proof;
    await proofs.save(uid, { step: 'code', accounts: [account], method, amr, strong });
    return { outcome: 'code-needed', factors: factorsOf(account) };
  };

  /** Returns the accounts of the proof whose security stamp is unchanged. */
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
    if (proof?.step !== step || accounts.length === 0) throw new ProblemError('sign-in-expired');
    return { uid, proof, accounts };
  };

  const bySecondFactor = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { amr, refusalOf }: { readonly amr: string; readonly refusalOf: (account: Account) => Promise<SecondRefusal> },
  ): Promise<InteractionOutcome> => {
    const { uid, proof, accounts } = await waiting(request, reply, 'code');
    const [account] = accounts;
    if (!account || !(await proofs.countGuess(uid))) throw new ProblemError('sign-in-expired');
    const detail = await refusalOf(account);
    if (detail === null) return finish(request, reply, account, { ...proof, amr: [...proof.amr, amr] });
    const address = clientAddress(request);
    await log.note({ action: 'sign-in.refused', method: proof.method, account, detail, address });
    throw new ProblemError(detail === 'incorrect-code' ? detail : 'incorrect-passkey');
  };

  const reject = async (
    request: FastifyRequest,
    { method }: Proof,
    code: 'no-account' | 'account-inactive',
    account: Account | null,
  ): Promise<never> => {
    await log.note({ action: 'sign-in.refused', method, account, detail: code, address: clientAddress(request) });
    throw new ProblemError(code);
  };

  return {
    current,
    proved: async (request, reply, proof) => {
      const { uid } = await current(request, reply);
      const [first = null] = proof.accounts;
      if (!first) return reject(request, proof, 'no-account', null);
      const active = proof.accounts.filter(({ isActive }) => isActive);
      const [one, ...more] = active;
      if (!one) return reject(request, proof, 'account-inactive', first);
      if (more.length === 0) return settle(request, reply, one, proof);
      const { method, amr, strong } = proof;
      await proofs.save(uid, { step: 'account', accounts: active, method, amr, strong });
      return { outcome: 'choose-account', accounts: active.map(shown) };
    },
    pending: async (request, reply) => {
      const { uid } = await current(request, reply);
      const proof = await proofs.read(uid);
      if (!proof) return null;
      const accounts = await accountsOf(proof);
      const [first] = accounts;
      if (!first) return null;
      return proof.step === 'code'
        ? { outcome: 'code-needed', factors: factorsOf(first) }
        : { outcome: 'choose-account', accounts: accounts.map(shown) };
    },
    accountAtCode: async (request, reply) => {
      const { uid } = await current(request, reply);
      const proof = await proofs.read(uid);
      return proof?.step === 'code' ? ((await accountsOf(proof))[0] ?? null) : null;
    },
    code: (request, reply, code) =>
      bySecondFactor(request, reply, {
        amr: 'otp',
        refusalOf: async (account) => ((await secondFactor.accepts(account, code)) ? null : 'incorrect-code'),
      }),
    passkey: (request, reply, refusalOf) => bySecondFactor(request, reply, { amr: 'pop', refusalOf }),
    account: async (request, reply, id) => {
      const { proof, accounts } = await waiting(request, reply, 'account');
      const chosen = accounts.find((account) => account.id === id);
      if (!chosen) throw new ProblemError('no-account');
      return settle(request, reply, chosen, proof);
    },
    abort: (request, reply) =>
      answer(request, reply, { error: 'access_denied', error_description: 'sign-in-cancelled' satisfies ProblemCode }),
  };
};
