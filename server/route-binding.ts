import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { mayCall, missingClaims } from '../contract/may-call.ts';
import type { ErrorItem } from '../contract/problem.ts';
import type { Route } from '../contract/route.ts';
import type { Principal } from './policy/principal.ts';
import { Refusal, withoutRight } from './refusal.ts';

/** What every bound route needs from the server. */
export interface Binding {
  /** `Authorization` header -> who calls. Throws Refusal `not-signed-in`. */
  readonly authenticate: (authorization: string | undefined) => Promise<Principal>;
  /** Hold every reply against the contract before it is sent: in development and in tests. */
  readonly checkReplies: boolean;
}

export interface OpenCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  /** Undefined for multipart routes: their handler reads the parts from `request`. */
  readonly body: z.output<B>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> extends OpenCall<P, Q, B> {
  readonly principal: Principal;
}

/** A handler answers with the reply of the contract, or sends bytes itself and returns the Fastify reply. */
type Answer<R extends z.ZodType> = Promise<z.input<R> | FastifyReply>;

/** zod's findings as the contract's refused fields: the key of the field and, for lengths, its bound. */
const fieldErrors = (error: z.ZodError): ErrorItem[] =>
  error.issues.map((issue): ErrorItem => {
    const fieldKey =
      issue.path.join('.') || (issue.code === 'unrecognized_keys' ? (issue.keys[0] ?? 'request') : 'request');
    if (issue.code === 'too_small') return { fieldKey, vars: { min: Number(issue.minimum) } };
    if (issue.code === 'too_big') return { fieldKey, vars: { max: Number(issue.maximum) } };
    if (fieldKey === 'password' && issue.code === 'invalid_format') return { fieldKey, vars: { rule: issue.message } };
    return { fieldKey };
  });

const parsed = <S extends z.ZodType>(schema: S | undefined, value: unknown): z.output<S> => {
  const result = schema?.safeParse(value);
  if (result && !result.success) throw new Refusal('invalid-request', fieldErrors(result.error));
  return result?.data as z.output<S>;
};

const openCall = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  route: Route<P, Q, B, R>,
  request: FastifyRequest,
  reply: FastifyReply,
): OpenCall<P, Q, B> => ({
  params: parsed(route.params, request.params),
  query: parsed(route.query, request.query),
  body: parsed(route.multipart ? undefined : route.body, request.body),
  request,
  reply,
});

const checked = <R extends z.ZodType>(schema: R, answer: unknown, reply: FastifyReply, check: boolean): unknown => {
  // A reply is a thenable: awaited, what a handler sent itself is undefined here.
  if (reply.sent || answer === reply || !check) return answer;
  const result = schema.safeParse(answer);
  if (!result.success)
    throw new Error(
      `reply breaks the contract at ${result.error.issues.map((issue) => issue.path.join('.')).join(', ')}`,
    );
  return answer;
};

/** Registers a contract route for those who are signed in and hold its claim. Order of refusal: 401, 403, 400. */
export const bind = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  server: FastifyInstance,
  binding: Binding,
  route: Route<P, Q, B, R>,
  handler: (call: Call<P, Q, B>) => Answer<R>,
): void => {
  if (route.access === 'anyone')
    throw new Error(`${route.method} ${route.path} is open to anyone: bind it with bindOpen`);
  const principals = new WeakMap<FastifyRequest, Principal>();
  server.route({
    method: route.method,
    url: route.path,
    // Who calls is known before anything is done; `web/rate-limits.ts` bounds those whom nobody knows.
    config: { rateLimit: false },
    onRequest: async (request) => {
      const principal = await binding.authenticate(request.headers.authorization);
      if (!mayCall(principal, route.access)) throw withoutRight(...missingClaims(principal, route.access));
      principals.set(request, principal);
    },
    handler: async (request, reply) => {
      const principal = principals.get(request);
      if (!principal) throw new Refusal('not-signed-in');
      const answer = await handler({ ...openCall(route, request, reply), principal });
      return checked(route.reply, answer, reply, binding.checkReplies);
    },
  });
};

/** Registers a contract route whose access is `anyone`. */
export const bindOpen = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  server: FastifyInstance,
  binding: Pick<Binding, 'checkReplies'>,
  route: Route<P, Q, B, R>,
  handler: (call: OpenCall<P, Q, B>) => Answer<R>,
): void => {
  if (route.access !== 'anyone')
    throw new Error(`${route.method} ${route.path} is not open to anyone: bind it with bind`);
  server.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const answer = await handler(openCall(route, request, reply));
      return checked(route.reply, answer, reply, binding.checkReplies);
    },
  });
};
