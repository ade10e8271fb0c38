import type { z } from 'zod';
import {
  type BodyOf,
  type ParamsOf,
  pathOf,
  type QueryOf,
  type ReplyOf,
  type Restriction,
  type Route,
  restrictions,
} from '../../contract/route.ts';
import { failureOfResponse } from './error-response.ts';
import { type Failure, failureOf, hasProblemCode, isDatabaseUnavailable, ServiceError } from './failure.ts';
import { type Answer, send } from './send.ts';
import type { Tokens } from './tokens.ts';

export interface CallOptions<R> {
  readonly params?: ParamsOf<R>;
  readonly query?: QueryOf<R>;
  readonly body?: BodyOf<R>;
  /** Of a multipart route. */
  readonly form?: FormData;
  readonly signal?: AbortSignal;
  /** The request outlives the page (fetch keepalive). Small bodies only. */
  readonly keepalive?: boolean;
}

/** Calls a route of the contract and returns its parsed reply. */
export type Call = <R extends Route>(route: R, options?: CallOptions<R>) => Promise<ReplyOf<R>>;

/**
 * Runs a request with the bearer token. Renews an expired token first; after a 401 renews it and repeats the request once.
 */
export type WithBearer = <Result extends { readonly status: number }>(
  attempt: (bearer: string | null) => Promise<Result>,
) => Promise<Result>;

export interface CallDependencies {
  readonly origin: string;
  readonly tokens: Tokens;
  /** Language of the page, as a tag. */
  readonly language: () => string;
  /** Called when a token was rejected and could not be renewed: the session ends. */
  readonly onTokenRefused: (failure: Failure) => void;
  /** Called when the archive replied that its database is unavailable. */
  readonly onDatabaseUnavailable?: (retryAfterMs: number | null) => void;
  /** Called when the archive refused a call because the session is restricted. */
  readonly onRestricted?: (restriction: Restriction) => void;
}

export const createWithBearer =
  ({ tokens, onTokenRefused }: Pick<CallDependencies, 'tokens' | 'onTokenRefused'>): WithBearer =>
  async (attempt) => {
    const renewed = async (stale: string): Promise<string> => {
      try {
        return (await tokens.renew(stale)).access_token;
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind === 'refused' && failure.status < 500) onTokenRefused(failure);
        throw error;
      }
    };
    const stored = tokens.current();
    if (!stored) return attempt(null);
    const isGood = tokens.goodForMs(stored) > 0;
    const bearer = isGood ? stored.access_token : await renewed(stored.access_token);
    const answer = await attempt(bearer);
    // A rejected new token is not renewed again.
    if (answer.status !== 401) return answer;
    const second = isGood ? await attempt(await renewed(bearer)) : answer;
    if (second.status === 401) onTokenRefused({ kind: 'refused', status: 401, code: 'not-signed-in', errors: [] });
    return second;
  };

export const queryText = (query: unknown): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query ?? {})
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );

const parsedReply = <Reply extends z.ZodType>(schema: Reply, { body }: Answer, where: string): z.infer<Reply> => {
  const reply = schema.safeParse(body);
  if (!reply.success) throw new ServiceError({ kind: 'drift', where }, { cause: reply.error });
  return reply.data;
};

const errorOf = ({ status, body, retryAfterMs }: Answer, where: string): ServiceError => {
  const failure = failureOfResponse(status, body, where);
  return new ServiceError(failure.kind === 'refused' && retryAfterMs ? { ...failure, retryAfterMs } : failure);
};

export const createCall = ({
  origin,
  tokens,
  language,
  onTokenRefused,
  onDatabaseUnavailable,
  onRestricted,
}: CallDependencies): Call => {
  const withBearer = createWithBearer({ tokens, onTokenRefused });

  const request: Call = async (route, { params, query, body, form, signal, keepalive } = {}) => {
    const where = `${route.method} ${route.path}`;
    const attempt = (bearer: string | null) =>
      send(`${origin}${pathOf(route.path, params as Record<string, string> | undefined)}`, {
        method: route.method,
        bearer,
        language: language(),
        ...(query !== undefined && { query: queryText(query) }),
        ...(body !== undefined && { json: body }),
        ...(form && { body: form }),
        ...(signal && { signal }),
        ...(keepalive && { keepalive }),
      });
    const answer = route.access === 'anyone' ? await attempt(null) : await withBearer(attempt);
    if (answer.status >= 400) throw errorOf(answer, where);
    return parsedReply(route.reply, answer, where) as ReplyOf<typeof route>;
  };
  return async (route, options) => {
    try {
      return await request(route, options);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'refused' && isDatabaseUnavailable(failure))
        onDatabaseUnavailable?.(failure.retryAfterMs ?? null);
      const restriction = restrictions.find((one) => hasProblemCode(failure, one));
      if (restriction) onRestricted?.(restriction);
      throw error;
    }
  };
};
