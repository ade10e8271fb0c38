import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hubPath } from '../../contract/hub.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { isOwnOrigin } from '../web/request-origin.ts';
import type { Connection } from './connection.ts';
import type { ConnectionRegistry } from './connection-registry.ts';
import { overEventStream, overPoll, overWebSocket } from './transports.ts';

export interface HubRouteDependencies {
  readonly connections: ConnectionRegistry;
  readonly authenticate: (authorization: string | undefined) => Promise<Principal>;
  readonly publicUrl: string;
}

const query = z.object({
  id: z.string().optional(),
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

const transports = [
  { transport: 'WebSockets', transferFormats: ['Text'] },
  { transport: 'ServerSentEvents', transferFormats: ['Text'] },
  { transport: 'LongPolling', transferFormats: ['Text'] },
];

/**
 * Registers `negotiate` and the three transports of SignalR.
 * https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/TransportProtocols.md
 */
export const hubRoutes = async (
  server: FastifyInstance,
  { connections, authenticate, publicUrl }: HubRouteDependencies,
): Promise<void> => {
  const principals = new WeakMap<FastifyRequest, Principal>();
  const callerOf = (request: FastifyRequest): Principal => {
    const principal = principals.get(request);
    if (!principal) throw new ProblemError('not-signed-in');
    return principal;
  };
  /** A connection can only be used by the account that opened it, even if its token leaks. */
  const find = (request: FastifyRequest): Connection | undefined => {
    const found = connections.find(queryOf(request).id);
    return found?.subscriber.accountId === callerOf(request).accountId ? found : undefined;
  };
  const requireConnection = (request: FastifyRequest): Connection => {
    const connection = find(request);
    if (!connection) throw new ProblemError('not-found');
    return connection;
  };
  const polled = new WeakSet<Connection>();
  const stream = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const connection = requireConnection(request);
    if (String(request.headers.accept).includes('text/event-stream')) return overEventStream(connection, reply);
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
      const { accountId, customerId, grantId } = callerOf(request);
      const { id, token } = connections.open({ accountId, customerId, grantId });
      const isNew = Number(queryOf(request).negotiateVersion ?? 0) >= 1;
      return isNew
        ? { negotiateVersion: 1, connectionId: id, connectionToken: token, availableTransports: transports }
        : { negotiateVersion: 0, connectionId: token, availableTransports: transports };
    });
    scope.route({
      method: 'GET',
      url: hubPath,
      handler: async (request, reply) => stream(request, reply),
      // A WebSocket may reach another node than `negotiate` did, or skip negotiation; it then opens a new connection.
      wsHandler: (socket: WebSocket, request: FastifyRequest) =>
        overWebSocket(find(request) ?? connections.open(callerOf(request)), socket),
    });
    scope.post(hubPath, async (request, reply) => {
      const connection = requireConnection(request);
      if (typeof request.body !== 'string') throw new ProblemError('invalid-request');
      connection.receive(request.body);
      return reply.type('text/plain').send('');
    });
    scope.delete(hubPath, async (request, reply) => {
      find(request)?.close();
      return reply.code(202).send();
    });
  });
};
