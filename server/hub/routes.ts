import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hubPath } from '../../contract/hub.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import type { Connection } from './connection.ts';
import type { Switchboard } from './switchboard.ts';
import { overEventStream, overPoll, overWebSocket } from './transports.ts';

export interface HubRouteDependencies {
  readonly board: Switchboard;
  readonly authenticate: (authorization: string | undefined) => Promise<Principal>;
}

const queryOf = z.object({
  id: z.string().optional(),
  access_token: z.string().optional(),
  negotiateVersion: z.string().optional(),
});
const largestMessage = 65_536;

const transports = [
  { transport: 'WebSockets', transferFormats: ['Text'] },
  { transport: 'ServerSentEvents', transferFormats: ['Text'] },
  { transport: 'LongPolling', transferFormats: ['Text'] },
];

/**
 * `negotiate` and the three transports of SignalR.
 * https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/TransportProtocols.md
 */
export const hubRoutes = async (
  server: FastifyInstance,
  { board, authenticate }: HubRouteDependencies,
): Promise<void> => {
  const principals = new WeakMap<FastifyRequest, Principal>();
  const callerOf = (request: FastifyRequest): Principal => {
    const principal = principals.get(request);
    if (!principal) throw new Refusal('not-signed-in');
    return principal;
  };
  /** A connection answers to the account that opened it, and to nobody else who learnt its name. */
  const find = (request: FastifyRequest): Connection | undefined => {
    const found = board.find(queryOf.parse(request.query).id);
    return found?.listener.accountId === callerOf(request).accountId ? found : undefined;
  };
  const findOrRefuse = (request: FastifyRequest): Connection => {
    const connection = find(request);
    if (!connection) throw new Refusal('not-found');
    return connection;
  };
  const polled = new WeakSet<Connection>();
  const stream = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const connection = findOrRefuse(request);
    if (String(request.headers.accept).includes('text/event-stream')) return overEventStream(connection, reply);
    if (polled.has(connection)) return overPoll(connection, reply);
    // The first poll only asks whether polling works.
    polled.add(connection);
    connection.heard();
    return reply.type('text/plain').send('');
  };

  await server.register(async (scope) => {
    await scope.register(websocket, { options: { maxPayload: largestMessage } });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: largestMessage }, (_, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', async (request) => {
      // A browser cannot set a header on a WebSocket or an event stream; the call log writes no query.
      const { access_token: token } = queryOf.parse(request.query);
      principals.set(request, await authenticate(token ? `Bearer ${token}` : request.headers.authorization));
    });

    scope.post(`${hubPath}/negotiate`, async (request) => {
      const { accountId, customerId, grantId } = callerOf(request);
      const { id, token } = board.open({ accountId, customerId, grantId });
      const isNew = Number(queryOf.parse(request.query).negotiateVersion ?? 0) >= 1;
      return isNew
        ? { negotiateVersion: 1, connectionId: id, connectionToken: token, availableTransports: transports }
        : { negotiateVersion: 0, connectionId: token, availableTransports: transports };
    });
    scope.route({
      method: 'GET',
      url: hubPath,
      handler: async (request, reply) => stream(request, reply),
      // A WebSocket may come to another node than the one that negotiated, or without negotiation: it opens its own connection.
      wsHandler: (socket: WebSocket, request: FastifyRequest) =>
        overWebSocket(find(request) ?? board.open(callerOf(request)), socket),
    });
    scope.post(hubPath, async (request, reply) => {
      findOrRefuse(request).receive(z.string().parse(request.body));
      return reply.type('text/plain').send('');
    });
    scope.delete(hubPath, async (request, reply) => {
      find(request)?.close();
      return reply.code(202).send();
    });
  });
};
