import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { upstreamCallbackPath } from '../../../contract/interactions.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import { type UpstreamMethod, upstreamMethod } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import { accountById } from '../../db/stores/account-store.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { clientAddress } from '../../web/client-address.ts';
import { requestOrigin } from '../../web/request-origin.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { Interactions } from '../interactions.ts';
import type { AuthorizationStates } from './authorization-states.ts';
import { authorizationUrlOf, claimsOf } from './code-flow.ts';
import type { Discovery } from './discovery.ts';
import { errorSummaryOf, problemOf } from './problem-of.ts';
import { methodsOf } from './strength.ts';
import type { Upstream } from './upstream.ts';
import type { Upstreams } from './upstreams.ts';

export interface UpstreamRouteDependencies {
  readonly db: Kysely<Schema>;
  readonly upstreams: Upstreams;
  readonly discovery: Discovery;
  readonly states: AuthorizationStates;
  readonly interactions: Interactions;
  readonly log: IdentityLog;
  /** Public URL of the archive. */
  readonly publicUrl: string;
}

type Parameters = Readonly<Record<string, string | undefined>>;

/** Interaction to return to for choosing another method, or null. */
interface ReturnTarget {
  uid: string | null;
}

const page = (parameters: Readonly<Record<string, string>>) => `/authorization?${new URLSearchParams(parameters)}`;

const sendTo = (reply: FastifyReply, target: string): FastifyReply =>
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(target, 303);

/** Returns one query parameter; undefined when it is repeated. */
const parameter = (request: FastifyRequest, name: string): string | undefined => {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
};

/** Registers the redirect to an external provider and its callback. Browsers navigate to these routes, so failures are shown as pages. */
export const upstreamRoutes = (server: FastifyInstance, deps: UpstreamRouteDependencies): void => {
  const { db, upstreams, discovery, states, interactions, log, publicUrl } = deps;

  const methodIn = (request: FastifyRequest): UpstreamMethod => {
    const method = upstreamMethod.safeParse((request.params as Parameters).method);
    if (!method.success) throw new ProblemError('method-not-offered');
    return method.data;
  };
  const upstreamIn = async (request: FastifyRequest): Promise<Upstream> => {
    const upstream = await upstreams.find(methodIn(request));
    if (!upstream) throw new ProblemError('method-not-offered');
    return upstream;
  };
  const interactionIn = async (request: FastifyRequest, reply: FastifyReply) => {
    const interaction = await interactions.current(request, reply);
    if (interaction.uid !== (request.params as Parameters).uid) throw new ProblemError('sign-in-expired');
    return interaction;
  };

  const redirectWithProblem = (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    back: ReturnTarget,
  ): FastifyReply => {
    const problem: ProblemCode = problemOf(error);
    if (problem === 'internal') request.log.error({ err: error }, 'external sign-in failed');
    else if (!(error instanceof ProblemError)) request.log.warn(errorSummaryOf(error), 'external sign-in failed');
    return sendTo(reply, page({ ...(back.uid === null ? {} : { interaction: back.uid }), problem }));
  };

  /** Registers a page route that redirects every error to the error page. */
  const pageRoute = (
    path: string,
    work: (request: FastifyRequest, reply: FastifyReply, back: ReturnTarget) => Promise<FastifyReply>,
  ): void => {
    server.get(path, async (request, reply) => {
      const back: ReturnTarget = { uid: null };
      try {
        return await work(request, reply, back);
      } catch (error) {
        return redirectWithProblem(request, reply, error, back);
      }
    });
  };

  pageRoute('/interaction/:uid/upstream/:method', async (request, reply, back) => {
    const interaction = await interactionIn(request, reply);
    const choosing = interaction.method === null;
    if (choosing) back.uid = interaction.uid;
    const upstream = await upstreamIn(request);
    const { method, issuer, clientId } = upstream;
    const { url, state, nonce, verifier } = await authorizationUrlOf(upstream, discovery, {
      redirectUri: `${requestOrigin(request, publicUrl)}${upstreamCallbackPath(method)}`,
      language: interaction.language,
    });
    await states.saveRequest(state, { uid: interaction.uid, method, issuer, clientId, nonce, verifier, choosing });
    return sendTo(reply, url.href);
  });

  pageRoute('/connect/upstream/:method', async (request, reply, back) => {
    const state = parameter(request, 'state');
    const pending = state === undefined ? undefined : await states.takeRequest(state);
    if (!pending || state === undefined) throw new ProblemError('sign-in-expired');
    if (pending.choosing) back.uid = pending.uid;
    try {
      // Rejects a reply of one provider to a request for another (RFC 9207).
      if (pending.method !== methodIn(request)) throw new ProblemError('sign-in-not-verified');
      const upstream = await upstreamIn(request);
      if (upstream.issuer !== pending.issuer || upstream.clientId !== pending.clientId)
        throw new ProblemError('sign-in-expired');
      const address = new URL(upstreamCallbackPath(pending.method), requestOrigin(request, publicUrl));
      address.search = new URL(request.url, publicUrl).search;
      const claims = await claimsOf(upstream, discovery, pending, { address, state });
      const accounts = await upstream.accountsOf(db, claims);
      const key = await states.saveResult({
        uid: pending.uid,
        method: pending.method,
        accountIds: accounts.map(({ id }) => id),
        amr: methodsOf(claims),
        strong: upstream.isStrong(claims),
        choosing: pending.choosing,
      });
      return sendTo(
        reply,
        `/interaction/${pending.uid}/upstream/${pending.method}/done?${new URLSearchParams({ key })}`,
      );
    } catch (error) {
      const problem = problemOf(error);
      // The cached metadata may be outdated.
      if (problem === 'method-away' || problem === 'sign-in-not-verified') discovery.forget(pending.issuer);
      if (problem === 'sign-in-not-verified')
        await log.note({
          action: 'sign-in.refused',
          method: pending.method,
          account: null,
          detail: problem,
          address: clientAddress(request),
        });
      throw error;
    }
  });

  pageRoute('/interaction/:uid/upstream/:method/done', async (request, reply, back) => {
    const interaction = await interactionIn(request, reply);
    const key = parameter(request, 'key');
    const result = key === undefined ? undefined : await states.takeResult(key);
    // The cookie is required up to here, so a stolen key or one of another interaction is useless.
    if (!result || result.uid !== interaction.uid || result.method !== methodIn(request))
      throw new ProblemError('sign-in-expired');
    if (result.choosing) back.uid = result.uid;
    const found = await Promise.all(result.accountIds.map((id) => accountById(db, id)));
    const outcome = await interactions.proved(request, reply, {
      accounts: found.filter((account) => account !== undefined),
      method: result.method,
      amr: result.amr,
      strong: result.strong,
    });
    if (outcome.outcome === 'finished') return sendTo(reply, outcome.redirectTo);
    const step = outcome.outcome === 'choose-account' ? 'account' : 'code';
    return sendTo(reply, page({ interaction: interaction.uid, step }));
  });
};
