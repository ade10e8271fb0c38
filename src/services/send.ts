import ky from 'ky';
import { ServiceError } from './failure.ts';
import { parsedJson } from './parsed-json.ts';

export interface SendOptions {
  readonly method: string;
  readonly bearer?: string | null;
  /** In whose order the archive sorts lists by name; a tag as in Accept-Language. */
  readonly language?: string;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly query?: URLSearchParams;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly keepalive?: boolean;
}

export interface Answer {
  readonly status: number;
  /** Parsed JSON; null when the answer has none. */
  readonly body: unknown;
  /** From the header Retry-After; null without one. */
  readonly retryAfterMs?: number | null;
}

/** Parses Retry-After in seconds; the archive never sends a date. */
const retryAfterMs = (headers: Headers): number | null => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
};

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/**
 * Sends a request once and returns the response of any status. The caller decides about retries.
 * @throws ServiceError offline when no answer comes; the reason of `signal` when it is aborted
 */
export const sendRaw = async (url: string, options: SendOptions): Promise<Response> => {
  const { method, bearer, language, json, body, query, signal, keepalive, timeoutMs = 30_000 } = options;
  try {
    return await ky(url, {
      method,
      retry: 0,
      throwHttpErrors: false,
      timeout: timeoutMs,
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(language && { 'accept-language': language }),
      },
      ...(query && { searchParams: query }),
      ...(json !== undefined && { json }),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    });
  } catch (cause) {
    if (signal?.aborted || isAbort(cause)) throw cause;
    throw new ServiceError({ kind: 'offline' }, { cause });
  }
};

/** Like `sendRaw`, and reads the body as JSON. A connection lost while reading is offline too. */
export const send = async (url: string, options: SendOptions): Promise<Answer> => {
  const response = await sendRaw(url, options);
  try {
    const body = parsedJson(await response.text());
    return { status: response.status, body, retryAfterMs: retryAfterMs(response.headers) };
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ServiceError({ kind: 'offline' }, { cause });
  }
};
