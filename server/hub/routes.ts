import { randomUUID } from 'node:crypto';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hubPath } from '../../contract/hub.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { isOwnOrigin } from '../web/request-origin.ts';
import type { Connection, Subscriber } from './connection.ts';
import type { ConnectionRegistry } from './connection-registry.ts';
import { overEventStream, overPoll, overWebSocket } from './transports.ts';

export interface HubRouteDependencies {
  readonly connections: ConnectionRegistry;
  readonly authenticate: (authorization: string | undefined) => Promise<Principal>;
  readonly publicUrl: string;
  readonly isAlone: () => Promise<boolean>;
  /** Passes a message on to the node that has the connection. @throws RangeError above what NOTIFY takes; clients send handshakes and pings */
  readonly relay: (message: { accountId: string; token: string; text: string }) => Promise<void>;
}

const query = z.object({
  id: z.string().max(64).optional(),
  access_token: z.string().optional(),
  negotiateVersion: z.string().optional(),
});
/** @throws ProblemError 'invalid-request' when a parameter is repeated */
const queryOf = (request: FastifyRequest): z.infer<typeof query> => {
  const parsed = query.safeParse(request.query);
  if (!parsed.success) throw new ProblemError('invalid-request');
  return parsed.data;
};
const maxMessage = 65_536;

const subscriberOf = ({ accountId, customerId, grantId }: Principal): Subscriber => ({
  accountId,
  customerId,
  grantId,
});

const transport = (name: string) => ({ transport: name, transferFormats: ['Text'] });
const streaming = [transport('WebSockets'), transport('ServerSentEvents')];

/**
 * Registers `negotiate` and the three transports of SignalR.
 * https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/TransportProtocols.md
 */
export const hubRoutes = async (
  server: FastifyInstance,
  { connections, authenticate, publicUrl, isAlone, relay }: HubRouteDependencies,
): Promise<void> => {
  const principals = new WeakMap<FastifyRequest, Principal>();
  const callerOf = (request: FastifyRequest): Principal => {
    const principal = principals.get(request);
    if (!principal) throw new ProblemError('not-signed-in');
    return principal;
  };
  const find = (request: FastifyRequest): Connection | undefined =>
    connections.find(callerOf(request).accountId, queryOf(request).id);
  /** Without sticky sessions, a stream reaches another node than `negotiate` did. */
  const findOrOpen = (request: FastifyRequest): Connection =>
    find(request) ?? connections.open(subscriberOf(callerOf(request)), queryOf(request).id);
  const polled = new WeakSet<Connection>();
  const stream = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (queryOf(request).id === undefined) throw new ProblemError('not-found');
    if (String(request.headers.accept).includes('text/event-stream'))
      return overEventStream(findOrOpen(request), reply);
    const connection = find(request);
    if (!connection) throw new ProblemError('not-found');
    if (polled.has(connection)) return overPoll(connection, reply);
    // The first poll only checks that polling works.
    polled.add(connection);
    connection.touch();
    return reply.type('text/plain').send('');
  };

  await server.register(async (scope) => {
    await scope.register(websocket, { options: { maxPayload: maxMessage } });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxMessage }, (_, body, done) => done(null, body));
    scope.addHook('onRequest', async (request) => {
      // Browsers send it with each WebSocket, and apply no same-origin policy to these.
      if (request.ws && !isOwnOrigin(request, publicUrl)) throw new ProblemError('no-right');
      // Browsers cannot set headers on a WebSocket or EventSource, so the token is in the query; the request log omits queries.
      const { access_token: token } = queryOf(request);
      principals.set(request, await authenticate(token ? `Bearer ${token}` : request.headers.authorization));
    });

    scope.post(`${hubPath}/negotiate`, async (request) => {
      const caller = subscriberOf(callerOf(request));
      // Polls need one node: events wait there between two of them.
      const isPolled = await isAlone();
      const { id, token } = isPolled ? connections.open(caller) : { id: randomUUID(), token: randomUUID() };
      const availableTransports = isPolled ? [...streaming, transport('LongPolling')] : streaming;
      const isNew = Number(queryOf(request).negotiateVersion ?? 0) >= 1;
      return isNew
        ? { negotiateVersion: 1, connectionId: id, connectionToken: token, availableTransports }
        : { negotiateVersion: 0, connectionId: token, availableTransports };
    });
    scope.route({
      method: 'GET',
      url: hubPath,
      handler: async (request, reply) => stream(request, reply),
      // A WebSocket may reach another node than `negotiate` did, or skip negotiation; it then opens a new connection.
      wsHandler: (socket: WebSocket, request: FastifyRequest) => overWebSocket(findOrOpen(request), socket),
    });
    scope.post(hubPath, async (request, reply) => {
      const { id: token } = queryOf(request);
      if (token === undefined || typeof request.body !== 'string') throw new ProblemError('invalid-request');
      const connection = find(request);
      if (connection) connection.receive(request.body);
      else
        await relay({ accountId: callerOf(request).accountId, token, text: request.body }).catch((error: unknown) => {
          throw error instanceof RangeError ? new ProblemError('invalid-request') : error;
        });
      return reply.type('text/plain').send('');
    });
    scope.delete(hubPath, async (request, reply) => {
      find(request)?.close();
      return reply.code(202).send();
    });
  });
};
