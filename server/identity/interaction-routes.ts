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
import { Refusal } from '../refusal.ts';
import { type Binding, bindOpen } from '../route-binding.ts';
import type { PasswordCheck } from './check-password.ts';
import type { OwnInteractions } from './interactions-of.ts';

export interface InteractionRouteDependencies {
  readonly binding: Pick<Binding, 'checkReplies'>;
  readonly interactions: OwnInteractions;
  readonly passwords: PasswordCheck;
  readonly offeredMethods: () => Promise<readonly OfferedMethod[]>;
}

/** The page of each method that the browser's own client may ask for; without one, the list of all methods. */
const placeOf = (uid: string, method: SignInMethod | null): string => {
  const elsewhere = upstreamMethod.safeParse(method);
  if (elsewhere.success) return upstreamPath(uid, elsewhere.data);
  const page = method === 'bankid' || method === 'sms' ? `/authorization/${method}` : '/authorization';
  return `${page}?${new URLSearchParams({ interaction: uid })}`;
};

/** What an interaction's pages call. All of it is bound to the interaction's cookie. */
export const interactionRoutes = (server: FastifyInstance, deps: InteractionRouteDependencies): void => {
  const { binding, interactions, passwords, offeredMethods } = deps;

  const whereTo = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const { uid, method } = await interactions.current(request, reply);
    const isOffered = method === null || (await offeredMethods()).some((offered) => offered.method === method);
    if (!isOffered) throw new Refusal('method-not-offered');
    return placeOf(uid, method);
  };

  // Where the provider sends the browser (no call of a page): a failure is told by a page too.
  server.get('/interaction/:uid', async (request, reply) => {
    const problemPage = (problem: ProblemCode) => `/authorization?${new URLSearchParams({ problem })}`;
    const place = await whereTo(request, reply).catch((error: unknown) => {
      if (error instanceof Refusal) return problemPage(error.code);
      request.log.error({ err: error }, 'interaction failed');
      return problemPage('internal');
    });
    return reply.header('cache-control', 'no-store').redirect(place, 303);
  });

  bindOpen(server, binding, interactionGet, async ({ request, reply }) => {
    const { clientName, method } = await interactions.current(request, reply);
    return { clientName, method, pending: await interactions.pending(request, reply) };
  });

  bindOpen(server, binding, interactionPassword, async ({ body, request, reply }) => {
    await interactions.current(request, reply);
    const account = await passwords.checkPassword({
      ...{ email: body.username, password: body.password, address: request.ip },
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
