import { failureOfResponse } from './error-response.ts';
import { ServiceError } from './failure.ts';

/** @throws ServiceError with the problem of a response of status 400 or above */
export const requireSuccess = async (response: Response, where: string): Promise<void> => {
  if (response.status < 400) return;
  const body: unknown = await response.json().catch(() => null);
  throw new ServiceError(failureOfResponse(response.status, body, where));
};

/** Reads a body. @throws ServiceError offline when the connection is lost meanwhile; the reason of `signal` when it is aborted */
export const readBody = async <Body>(read: () => Promise<Body>, signal: AbortSignal): Promise<Body> => {
  try {
    return await read();
  } catch (cause) {
    if (signal.aborted || cause instanceof ServiceError) throw cause;
    throw new ServiceError({ kind: 'offline' }, { cause });
  }
};
