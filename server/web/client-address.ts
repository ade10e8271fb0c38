import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { normalizeAddress } from './normalize-address.ts';

/**
 * Returns the address of the client as reported by trusted proxies. If a proxy reports no valid address, its own address is used: arbitrary text
 * would give each request a rate limit of its own.
 */
export const clientAddress = (request: Pick<FastifyRequest, 'ip' | 'socket'>): string => {
  const address = normalizeAddress(request.ip);
  return isIP(address) === 0 ? normalizeAddress(request.socket.remoteAddress ?? '') : address;
};
