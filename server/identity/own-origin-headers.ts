import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { requestOrigin } from '../web/request-origin.ts';

/**
 * Returns the request for oidc-provider (Koa) with forwarded headers that contain the archive's own origin: Koa trusts their first value, which any
 * client can forge.
 */
export const withOwnOriginHeaders = (request: FastifyRequest, publicUrl: string): IncomingMessage => {
  const { protocol, host } = new URL(requestOrigin(request, publicUrl));
  request.raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  request.raw.headers['x-forwarded-host'] = host;
  return request.raw;
};
