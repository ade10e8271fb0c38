import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../loopback.ts';

/**
 * Returns the origin that the browser uses: the public URL, whatever the request headers say. Only on this machine, which has several names
 * (localhost, 127.0.0.1), it is the requested one, because cookies are bound to it.
 */
export const requestOrigin = (request: Pick<FastifyRequest, 'protocol' | 'host'>, publicUrl: string): string => {
  const origin = `${request.protocol}://${request.host}`;
  return URL.canParse(origin) && isLoopback(origin) && isLoopback(publicUrl) ? new URL(origin).origin : publicUrl;
};

/** Returns whether the `Origin` is the public URL or the requested host. Programs send none. */
export const isOwnOrigin = (
  { headers, host }: Pick<FastifyRequest, 'headers' | 'host'>,
  publicUrl: string,
): boolean => {
  const { origin } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && [new URL(publicUrl).host, host].includes(new URL(origin).host);
};
