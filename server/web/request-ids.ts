import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { TrustedProxies } from './trusted-proxies.ts';

const header = 'x-request-id';
/** Ids of common proxies (UUID, hexadecimal): longer than a personal number, and nothing that breaks a log line or hides text in it. */
const acceptable = /^[A-Za-z0-9._-]{16,64}$/;

/** Returns the id of a request: that of a trusted proxy in front, else a new one, short enough to be read out on the telephone. */
export const requestIdOf =
  (trustProxy: TrustedProxies | null) =>
  ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const given = headers[header];
    const isTrusted = trustProxy?.(socket.remoteAddress ?? '', 0) === true;
    return isTrusted && typeof given === 'string' && acceptable.test(given) ? given : randomBytes(6).toString('hex');
  };

/** Sends the id of each request in the header `x-request-id`. */
export const replyRequestIds = (server: FastifyInstance): void => {
  // Also covers handlers that write to the socket themselves (oidc-provider, event streams).
  server.addHook('onRequest', async (request, reply) => void reply.raw.setHeader(header, request.id));
};
