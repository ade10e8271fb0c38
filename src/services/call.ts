import type { z } from 'zod';
import { type BodyOf, type ParamsOf, pathOf, type QueryOf, type ReplyOf, type Route } from '../../contract/route.ts';
import { type Failure, failureOf, ServiceError } from './failure.ts';
import { refusalOf } from './refusal.ts';
import { type Answer, send } from './send.ts';
import type { Tokens } from './tokens.ts';

export interface CallOptions<R> {
  readonly params?: ParamsOf<R>;
  readonly query?: QueryOf<R>;
  readonly body?: BodyOf<R>;
  /** Of a multipart route. */
  readonly form?: FormData;
  readonly signal?: AbortSignal;
  /** Is sent to its end even when the page goes away meanwhile. Small bodies only. */
  readonly keepalive?: boolean;
}

/** One way to the archive: a route of the contract and what it asks for, the reply that the contract promises. */
export type Call = <R extends Route>(route: R, options?: CallOptions<R>) => Promise<ReplyOf<R>>;

/**
 * Does something with the bearer's token, renewed first when its time is over; when the archive answers 401, renews the token and does it once
 * more.
 */
export type WithBearer = <Result extends { readonly status: number }>(
  attempt: (bearer: string | null) => Promise<Result>,
) => Promise<Result>;

export interface CallDependencies {
  readonly origin: string;
  readonly tokens: Tokens;
  /** Heard when a token was refused and could not be renewed: the session is over. */
  readonly onTokenRefused: (failure: Failure) => void;
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
    const held = tokens.current();
    if (!held) return attempt(null);
    const isGood = tokens.goodForMs(held) > 0;
    const bearer = isGood ? held.access_token : await renewed(held.access_token);
    const answer = await attempt(bearer);
    // A token that is new and refused is as good as none that can be had.
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

export const createCall = ({ origin, tokens, onTokenRefused }: CallDependencies): Call => {
  const withBearer = createWithBearer({ tokens, onTokenRefused });

  return async (route, { params, query, body, form, signal, keepalive } = {}) => {
    const where = `${route.method} ${route.path}`;
    const attempt = (bearer: string | null) =>
      send(`${origin}${pathOf(route.path, params as Record<string, string> | undefined)}`, {
        method: route.method,
        bearer,
        ...(query !== undefined && { query: queryText(query) }),
        ...(body !== undefined && { json: body }),
        ...(form && { body: form }),
        ...(signal && { signal }),
        ...(keepalive && { keepalive }),
      });
    const answer = route.access === 'anyone' ? await attempt(null) : await withBearer(attempt);
    if (answer.status >= 400) throw new ServiceError(refusalOf(answer.status, answer.body, where));
    return parsedReply(route.reply, answer, where) as ReplyOf<typeof route>;
  };
};
