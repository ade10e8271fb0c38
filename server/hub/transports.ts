import type { WebSocket } from '@fastify/websocket';
import type { FastifyReply } from 'fastify';
import type { Connection, Transport } from './connection.ts';

/** Limit of unsent bytes in the socket of a client that does not read. */
const maxUnread = 1_048_576;
const pollMilliseconds = 90_000;

export const overWebSocket = (connection: Connection, socket: WebSocket): void => {
  const wire: Transport = {
    write: (text) => (socket.bufferedAmount > maxUnread ? socket.terminate() : socket.send(text)),
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
  // An initial comment makes EventSource report that it is open.
  raw.write(':\r\n\r\n');
  const wire: Transport = {
    write: (text) => (raw.writableLength > maxUnread ? raw.destroy() : raw.write(`data: ${text}\r\n\r\n`)),
    end: () => raw.end(),
  };
  raw.on('close', connection.close);
  connection.attach(wire);
  return reply;
};

/** Answers one poll with queued messages, with the next message, or empty after a timeout. */
export const overPoll = (connection: Connection, reply: FastifyReply): FastifyReply => {
  connection.touch();
  const answer = (status: 200 | 204, text: string): void => {
    clearTimeout(timer);
    connection.detach(wire);
    if (!reply.sent) void reply.code(status).header('cache-control', 'no-store').type('text/plain').send(text);
  };
  const wire: Transport = { write: (text) => answer(200, text), end: () => answer(204, '') };
  const timer = setTimeout(() => answer(200, ''), pollMilliseconds);
  reply.raw.on('close', () => {
    clearTimeout(timer);
    connection.detach(wire);
  });
  connection.attach(wire);
  return reply;
};
