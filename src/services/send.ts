import ky from 'ky';
import { ServiceError } from './failure.ts';
import { parsedJson } from './parsed-json.ts';

export interface SendOptions {
  readonly method: string;
  readonly bearer?: string | null;
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
}

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/**
 * Sends and waits for the head of the answer, whatever its status. Tries once: who calls knows whether a second try does harm.
 * @throws ServiceError offline when no answer comes; the reason of `signal` when it is aborted
 */
export const sendRaw = async (url: string, options: SendOptions): Promise<Response> => {
  const { method, bearer, json, body, query, signal, keepalive, timeoutMs = 30_000 } = options;
  try {
    return await ky(url, {
      method,
      retry: 0,
      throwHttpErrors: false,
      timeout: timeoutMs,
      headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
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

/** As `sendRaw`, with the body read as JSON. A connection that breaks while the body comes is offline too. */
export const send = async (url: string, options: SendOptions): Promise<Answer> => {
  const response = await sendRaw(url, options);
  try {
    return { status: response.status, body: parsedJson(await response.text()) };
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ServiceError({ kind: 'offline' }, { cause });
  }
};
