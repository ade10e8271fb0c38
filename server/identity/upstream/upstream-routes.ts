import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { upstreamCallbackPath } from '../../../contract/interactions.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import { type UpstreamMethod, upstreamMethod } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import { accountById } from '../../db/stores/account-store.ts';
import { isLoopback } from '../../loopback.ts';
import { Refusal } from '../../refusal.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { Interactions } from '../interactions.ts';
import type { Discovery } from './discovery.ts';
import { claimsOf, leaveFor } from './elsewhere.ts';
import type { Journeys } from './journey.ts';
import { faultOf, problemOf } from './problem-of.ts';
import { methodsOf } from './strength.ts';
import type { Upstream } from './upstream.ts';
import type { Upstreams } from './upstreams.ts';

export interface UpstreamRouteDependencies {
  readonly db: Kysely<Schema>;
  readonly upstreams: Upstreams;
  readonly discovery: Discovery;
  readonly journeys: Journeys;
  readonly interactions: Interactions;
  readonly log: IdentityLog;
  /** Where browsers reach the archive. */
  readonly publicUrl: string;
}

type Parameters = Readonly<Record<string, string | undefined>>;

/** The interaction that waits for a choice of another method, or nothing. */
interface WayBack {
  uid: string | null;
}

const page = (parameters: Readonly<Record<string, string>>) => `/authorization?${new URLSearchParams(parameters)}`;

const sendTo = (reply: FastifyReply, target: string): FastifyReply =>
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(target, 303);

/** One parameter of the query; a repeated one is none. */
const parameter = (request: FastifyRequest, name: string): string | undefined => {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
};

/** Leaving for a provider elsewhere, and coming back. These are pages to a browser: a failure is a page too, and says so in words. */
export const upstreamRoutes = (server: FastifyInstance, deps: UpstreamRouteDependencies): void => {
  const { db, upstreams, discovery, journeys, interactions, log, publicUrl } = deps;

  /** As the browser reached us: on one machine its name may be written in several ways, and the interaction's cookie knows but one of them. */
  const originOf = (request: FastifyRequest): string => {
    const asked = `${request.protocol}://${request.host}`;
    return URL.canParse(asked) && isLoopback(asked) && isLoopback(publicUrl) ? asked : publicUrl;
  };
  const methodIn = (request: FastifyRequest): UpstreamMethod => {
    const method = upstreamMethod.safeParse((request.params as Parameters).method);
    if (!method.success) throw new Refusal('method-not-offered');
    return method.data;
  };
  const upstreamIn = async (request: FastifyRequest): Promise<Upstream> => {
    const upstream = await upstreams.find(methodIn(request));
    if (!upstream) throw new Refusal('method-not-offered');
    return upstream;
  };
  const interactionIn = async (request: FastifyRequest, reply: FastifyReply) => {
    const interaction = await interactions.current(request, reply);
    if (interaction.uid !== (request.params as Parameters).uid) throw new Refusal('sign-in-expired');
    return interaction;
  };

  const tell = (request: FastifyRequest, reply: FastifyReply, error: unknown, back: WayBack): FastifyReply => {
    const problem: ProblemCode = problemOf(error);
    if (problem === 'internal') request.log.error({ err: error }, 'sign-in elsewhere failed');
    else if (!(error instanceof Refusal)) request.log.warn(faultOf(error), 'sign-in elsewhere failed');
    return sendTo(reply, page({ ...(back.uid === null ? {} : { interaction: back.uid }), problem }));
  };

  /** A page that never ends in an error of ours without words. */
  const visit = (
    path: string,
    work: (request: FastifyRequest, reply: FastifyReply, back: WayBack) => Promise<FastifyReply>,
  ): void => {
    server.get(path, async (request, reply) => {
      const back: WayBack = { uid: null };
      try {
        return await work(request, reply, back);
      } catch (error) {
        return tell(request, reply, error, back);
      }
    });
  };

  visit('/interaction/:uid/upstream/:method', async (request, reply, back) => {
    const interaction = await interactionIn(request, reply);
    const choosing = interaction.method === null;
    if (choosing) back.uid = interaction.uid;
    const upstream = await upstreamIn(request);
    const { method, issuer, clientId } = upstream;
    const { url, state, nonce, verifier } = await leaveFor(upstream, discovery, {
      redirectUri: `${originOf(request)}${upstreamCallbackPath(method)}`,
      language: interaction.language,
    });
    await journeys.depart(state, { uid: interaction.uid, method, issuer, clientId, nonce, verifier, choosing });
    return sendTo(reply, url.href);
  });

  visit('/connect/upstream/:method', async (request, reply, back) => {
    const state = parameter(request, 'state');
    const journey = state === undefined ? undefined : await journeys.returned(state);
    if (!journey || state === undefined) throw new Refusal('sign-in-expired');
    if (journey.choosing) back.uid = journey.uid;
    try {
      // An answer of one provider to the question that another was asked (RFC 9207).
      if (journey.method !== methodIn(request)) throw new Refusal('sign-in-not-verified');
      const upstream = await upstreamIn(request);
      if (upstream.issuer !== journey.issuer || upstream.clientId !== journey.clientId)
        throw new Refusal('sign-in-expired');
      const address = new URL(upstreamCallbackPath(journey.method), originOf(request));
      address.search = new URL(request.url, publicUrl).search;
      const claims = await claimsOf(upstream, discovery, journey, { address, state });
      const accounts = await upstream.accountsOf(db, claims);
      const key = await journeys.arrive({
        uid: journey.uid,
        method: journey.method,
        accountIds: accounts.map(({ id }) => id),
        amr: methodsOf(claims),
        strong: upstream.isStrong(claims),
        choosing: journey.choosing,
      });
      return sendTo(
        reply,
        `/interaction/${journey.uid}/upstream/${journey.method}/done?${new URLSearchParams({ key })}`,
      );
    } catch (error) {
      const problem = problemOf(error);
      // What it says of itself may be old.
      if (problem === 'method-away' || problem === 'sign-in-not-verified') discovery.forget(journey.issuer);
      if (problem === 'sign-in-not-verified')
        await log.note({ action: 'sign-in.refused', account: null, detail: problem });
      throw error;
    }
  });

  visit('/interaction/:uid/upstream/:method/done', async (request, reply, back) => {
    const interaction = await interactionIn(request, reply);
    const key = parameter(request, 'key');
    const journey = key === undefined ? undefined : await journeys.arrived(key);
    // Without the cookie nobody comes this far: a key in another's hands, or of another interaction, opens nothing.
    if (!journey || journey.uid !== interaction.uid || journey.method !== methodIn(request))
      throw new Refusal('sign-in-expired');
    if (journey.choosing) back.uid = journey.uid;
    const found = await Promise.all(journey.accountIds.map((id) => accountById(db, id)));
    const outcome = await interactions.proved(request, reply, {
      accounts: found.filter((account) => account !== undefined),
      method: journey.method,
      amr: journey.amr,
      strong: journey.strong,
    });
    if (outcome.outcome === 'finished') return sendTo(reply, outcome.redirectTo);
    const step = outcome.outcome === 'choose-account' ? 'account' : 'code';
    return sendTo(reply, page({ interaction: interaction.uid, step }));
  });
};
