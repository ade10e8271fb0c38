import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  interactionAbort,
  interactionAccount,
  interactionCode,
  interactionGet,
  interactionPassword,
  upstreamPath,
} from '../../contract/interactions.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { type OfferedMethod, type SignInMethod, upstreamMethod } from '../../contract/sign-in.ts';
import { databaseProblemOf } from '../db/database-problem.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bindOpen } from '../route-binding.ts';
import { clientAddress } from '../web/client-address.ts';
import type { PasswordCheck } from './check-password.ts';
import type { OwnInteractions } from './interactions-of.ts';

export interface InteractionRouteDependencies {
  readonly binding: Pick<Binding, 'checkReplies'>;
  readonly interactions: OwnInteractions;
  readonly passwords: PasswordCheck;
  readonly offeredMethods: () => Promise<readonly OfferedMethod[]>;
}

/** Page of each method that the browser client may request; without one, the list of all methods. */
const placeOf = (uid: string, method: SignInMethod | null): string => {
  const upstream = upstreamMethod.safeParse(method);
  if (upstream.success) return upstreamPath(uid, upstream.data);
  const page =
    method === 'bankid' || method === 'sms' || method === 'passkey' ? `/authorization/${method}` : '/authorization';
  return `${page}?${new URLSearchParams({ interaction: uid })}`;
};

/** Registers the routes of the sign-in pages. All of them require the cookie of the interaction. */
export const interactionRoutes = (server: FastifyInstance, deps: InteractionRouteDependencies): void => {
  const { binding, interactions, passwords, offeredMethods } = deps;

  const redirectTarget = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const { uid, method } = await interactions.current(request, reply);
    const isOffered = method === null || (await offeredMethods()).some((offered) => offered.method === method);
    if (!isOffered) throw new ProblemError('method-not-offered');
    return placeOf(uid, method);
  };

  // The provider redirects the browser here, so a failure must be shown as a page.
  server.get('/interaction/:uid', async (request, reply) => {
    const problemPage = (problem: ProblemCode) => `/authorization?${new URLSearchParams({ problem })}`;
    const target = await redirectTarget(request, reply).catch((error: unknown) => {
      if (error instanceof ProblemError) return problemPage(error.code);
      const databaseProblem = databaseProblemOf(error);
      if (databaseProblem) return problemPage(databaseProblem);
      request.log.error({ err: error }, 'interaction failed');
      return problemPage('internal');
    });
    return reply.header('cache-control', 'no-store').redirect(target, 303);
  });

  bindOpen(server, binding, interactionGet, async ({ request, reply }) => {
    const { clientName, method } = await interactions.current(request, reply);
    return { clientName, method, pending: await interactions.pending(request, reply) };
  });

  bindOpen(server, binding, interactionPassword, async ({ body, request, reply }) => {
    await interactions.current(request, reply);
    const account = await passwords.checkPassword({
      email: body.username,
      password: body.password,
      address: clientAddress(request),
    });
    return interactions.proved(request, reply, {
      accounts: [account],
      method: 'password',
      amr: ['pwd'],
      strong: false,
    });
  });

  bindOpen(server, binding, interactionCode, ({ body, request, reply }) =>
    interactions.code(request, reply, body.code),
  );

  bindOpen(server, binding, interactionAccount, ({ body, request, reply }) =>
    interactions.account(request, reply, body.id),
  );

  bindOpen(server, binding, interactionAbort, async ({ request, reply }) => ({
    redirectTo: await interactions.abort(request, reply),
  }));
};
