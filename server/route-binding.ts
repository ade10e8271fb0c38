import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { canCall, missingClaims } from '../contract/can-call.ts';
import type { ErrorItem } from '../contract/problem.ts';
import type { Route } from '../contract/route.ts';
import { type ListLanguage, listLanguage } from './domain/list-language.ts';
import type { Principal } from './domain/policy/principal.ts';
import { principalOfService, type ServiceCaller } from './domain/policy/service-caller.ts';
import { noRightError, ProblemError } from './domain/problem-error.ts';
import { unstorableIn } from './web/storable-text.ts';

/** What every bound route needs from the server. */
/** What a route asks of a user's session and token. */
export type Admission = Pick<Route, 'allowedWhen' | 'service'>;

export interface Binding {
  /** Returns the user of an `Authorization` header, whose session and token may call the route. @throws ProblemError */
  readonly authenticate: (authorization: string | undefined, route: Admission) => Promise<Principal>;
  /** Returns the service account of an `Authorization` header; undefined for any other. */
  readonly serviceOf: (authorization: string | undefined) => Promise<ServiceCaller | undefined>;
  /** Validates every reply against the contract before sending: in development and in tests. */
  readonly checkReplies: boolean;
}

export interface OpenCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  /** Undefined for multipart routes: their handler reads the parts from `request`. */
  readonly body: z.output<B>;
  /** In whose order lists by name are sorted. */
  readonly language: ListLanguage;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> extends OpenCall<P, Q, B> {
  readonly principal: Principal;
}

/** A handler returns the reply of the contract, or sends bytes itself and returns the Fastify reply. */
type Answer<R extends z.ZodType> = Promise<z.input<R> | FastifyReply>;

/** Converts zod issues to the contract's field errors: field key and, for lengths, the limit. */
export const fieldErrors = (error: z.ZodError): ErrorItem[] =>
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
  if (result && !result.success) throw new ProblemError('invalid-request', fieldErrors(result.error));
  const unstorable = unstorableIn(result?.data);
  if (unstorable) throw new ProblemError('invalid-request', [{ fieldKey: unstorable.join('.') || 'request' }]);
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
  language: listLanguage(request.headers['accept-language']),
  request,
  reply,
});

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Returns the paths of fields that the contract does not have: parsing drops them. */
const fieldsBeyond = (answer: unknown, parsed: unknown, place = ''): string[] => {
  if (!isRecord(answer) || !isRecord(parsed) || answer instanceof Date) return [];
  return Object.entries(answer).flatMap(([key, value]) => {
    const at = place === '' ? key : `${place}.${key}`;
    return value !== undefined && !(key in parsed) ? [at] : fieldsBeyond(value, parsed[key], at);
  });
};

const checked = <R extends z.ZodType>(schema: R, answer: unknown, reply: FastifyReply, check: boolean): unknown => {
  // Fastify replies are thenables: awaiting one that was already sent gives undefined here.
  if (reply.sent || answer === reply || !check) return answer;
  const result = schema.safeParse(answer);
  if (!result.success)
    throw new Error(
      `reply breaks the contract at ${result.error.issues.map((issue) => issue.path.join('.')).join(', ')}`,
    );
  const beyond = fieldsBeyond(answer, result.data);
  if (beyond.length > 0) throw new Error(`reply has fields beyond the contract: ${beyond.join(', ')}`);
  return answer;
};

const principals = new WeakMap<FastifyRequest, Principal>();

/** Returns the caller of an authenticated request, also when the call is refused afterwards. */
export const principalOf = (request: FastifyRequest): Principal | undefined => principals.get(request);

/** The clinic that the path of a route for service accounts names. */
const clinicIn = ({ params }: FastifyRequest): string | null => {
  const clinic = isRecord(params) ? params.clinic : undefined;
  return typeof clinic === 'string' ? clinic.toLowerCase() : null;
};

/** Checks the clinic and the scope of a service account. Returns undefined when another caller must sign in. @throws ProblemError 'not-found', 'no-right' */
const admitService = async (
  binding: Binding,
  { service: scope }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal | undefined> => {
  const service = scope && (await binding.serviceOf(request.headers.authorization));
  if (!service) return undefined;
  const clinic = clinicIn(request);
  const principal = principalOfService(service, clinic);
  principals.set(request, principal);
  if (!service.clinics.some((id) => id === clinic)) throw new ProblemError('not-found');
  if (!service.scopes.includes(scope)) {
    reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
    throw noRightError();
  }
  return principal;
};

/** Registers a contract route for signed-in users with its claim, and for service accounts with its scope. Checks in this order: 401, 403, 400. */
export const bind = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  server: FastifyInstance,
  binding: Binding,
  route: Route<P, Q, B, R>,
  handler: (call: Call<P, Q, B>) => Answer<R>,
): void => {
  if (route.access === 'anyone')
    throw new Error(`${route.method} ${route.path} is open to anyone: bind it with bindOpen`);
  server.route({
    method: route.method,
    url: route.path,
    // Authentication precedes all work; `web/rate-limits.ts` limits unauthenticated requests.
    config: { rateLimit: false },
    onRequest: async (request, reply) => {
      const principal =
        (await admitService(binding, route, request, reply)) ??
        (await binding.authenticate(request.headers.authorization, route));
      principals.set(request, principal);
      if (!canCall(principal, route.access)) throw noRightError(...missingClaims(principal, route.access));
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      if (!principal) throw new ProblemError('not-signed-in');
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
