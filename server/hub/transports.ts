import type { WebSocket } from '@fastify/websocket';
import type { FastifyReply } from 'fastify';
import type { Connection, Wire } from './connection.ts';

/** Bytes that may wait in the socket of a browser that does not read. */
const mostUnread = 1_048_576;
const pollMilliseconds = 90_000;

export const overWebSocket = (connection: Connection, socket: WebSocket): void => {
  const wire: Wire = {
    write: (text) => (socket.bufferedAmount > mostUnread ? socket.terminate() : socket.send(text)),
    end: () => socket.close(),
  };
  socket.on('message', (data: Buffer) => connection.receive(data.toString()));
  socket.on('close', connection.close);
  socket.on('error', connection.close);
  connection.attach(wire);
};

export const overEventStream = (connection: Connection, reply: FastifyReply): FastifyReply => {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  // A first comment makes the browser's EventSource report that it is open.
  raw.write(':\r\n\r\n');
  const wire: Wire = {
    write: (text) => (raw.writableLength > mostUnread ? raw.destroy() : raw.write(`data: ${text}\r\n\r\n`)),
    end: () => raw.end(),
  };
  raw.on('close', connection.close);
  connection.attach(wire);
  return reply;
};

/** One poll: answered with the news that wait, or when some come, or empty after a while. */
export const overPoll = (connection: Connection, reply: FastifyReply): FastifyReply => {
  connection.heard();
  const answer = (status: 200 | 204, text: string): void => {
    clearTimeout(timer);
    connection.detach(wire);
    if (!reply.sent) void reply.code(status).header('cache-control', 'no-store').type('text/plain').send(text);
  };
  const wire: Wire = { write: (text) => answer(200, text), end: () => answer(204, '') };
  const timer = setTimeout(() => answer(200, ''), pollMilliseconds);
  reply.raw.on('close', () => {
    clearTimeout(timer);
    connection.detach(wire);
  });
  connection.attach(wire);
  return reply;
};
