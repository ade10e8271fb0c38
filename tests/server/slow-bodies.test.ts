import { once } from 'node:events';
import net from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSlowBodies } from '../../server/web/slow-bodies.ts';

const limits = { windowMs: 60_000, uploadBytes: 1_000 };
/** Bodies that a handler reads as a stream. */
const streamed = [
  'application/octet-stream',
  'multipart/form-data; boundary=b',
  'application/dicom',
  'multipart/related; type="application/dicom"; boundary=b',
];
let server: FastifyInstance;
let port: number;
let connections: net.Socket[];
/** Bytes that the handler has read. */
let received: number;
/** Until then `/late` reads nothing, as with a full disk. */
let reading: PromiseWithResolvers<void>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  received = 0;
  connections = [];
  reading = Promise.withResolvers();
  server = fastify({ forceCloseConnections: true });
  server.server.on('connection', (socket) => connections.push(socket));
  endSlowBodies(server, limits);
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.post('/read', async ({ body }) => body);
  server.post('/upload', async ({ raw }) => {
    for await (const chunk of raw) received += chunk.length;
    return { received };
  });
  server.post('/late', async ({ raw }) => {
    await reading.promise;
    for await (const chunk of raw) received += chunk.length;
    return { received };
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  port = (server.server.address() as net.AddressInfo).port;
});
afterEach(async () => {
  await server.close();
  vi.useRealTimers();
});

const nextWindow = () => vi.advanceTimersByTime(limits.windowMs);

/** Sends the head of a request whose body has `length` bytes, and waits until the server watches it. */
const begin = async (target: string, type: string, length: number) => {
  const socket = net.connect(port, '127.0.0.1');
  let reply = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    reply += text;
  });
  socket.on('error', () => undefined);
  const head = [`POST ${target} HTTP/1.1`, 'host: x', 'connection: close', `content-type: ${type}`];
  socket.write([...head, `content-length: ${length}`, '', ''].join('\r\n'));
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  return {
    send: (text: string) => socket.write(text),
    reply: async () => {
      if (!socket.closed) await once(socket, 'close');
      return reply;
    },
  };
};

describe('a request body', () => {
  it('that is not complete after a minute is ended with 408', async () => {
    const request = await begin('/read', 'application/json', 100);
    request.send('{"a":"b');
    nextWindow();
    expect(await request.reply()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('of an upload that trickles in is ended too', async () => {
    const request = await begin('/upload', 'application/octet-stream', 100_000);
    for (const read of [2_000, 2_010]) {
      request.send('x'.repeat(read - received));
      await expect.poll(() => received).toBe(read);
      nextWindow();
    }
    expect(await request.reply()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each(streamed)('of an upload as %s may take long while it arrives', async (type) => {
    const request = await begin('/upload', type, 20_000);
    for (let read = 2_000; read <= 20_000; read += 2_000) {
      request.send('x'.repeat(2_000));
      await expect.poll(() => received).toBe(read);
      nextWindow();
    }
    const reply = await request.reply();
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    expect(reply).toContain('{"received":20000}');
  });

  it('that the server itself reads late is not ended', async () => {
    const request = await begin('/late', 'application/octet-stream', 5_000);
    request.send('x'.repeat(4_000));
    await expect.poll(() => connections[0]?.bytesRead).toBeGreaterThan(4_000);
    for (let window = 0; window < 3; window++) nextWindow();
    reading.resolve();
    request.send('x'.repeat(1_000));
    expect(await request.reply()).toContain('{"received":5000}');
  });
});
