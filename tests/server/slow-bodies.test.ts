import { once } from 'node:events';
import net from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endSlowBodies } from '../../server/web/slow-bodies.ts';

const limits = { windowMs: 1_000, uploadBytes: 1_000 };
let server: FastifyInstance;
let port: number;

beforeAll(async () => {
  server = fastify({ forceCloseConnections: true });
  endSlowBodies(server, limits);
  server.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null));
  server.post('/read', async ({ body }) => body);
  server.post('/upload', async ({ raw }) => {
    let bytes = 0;
    for await (const chunk of raw) bytes += chunk.length;
    return { bytes };
  });
  /** Takes the body only after several windows, as a full disk does. */
  server.post('/late', async ({ raw }) => {
    await once(raw, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 2.5 * limits.windowMs));
    let bytes = 0;
    for await (const chunk of raw) bytes += chunk.length;
    return { bytes };
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  port = (server.server.address() as net.AddressInfo).port;
});
afterAll(() => server.close());

/** Sends the head and one chunk per `everyMs`, and returns what the server replied. */
const send = async (target: string, type: string, chunks: readonly string[], everyMs: number): Promise<string> => {
  const socket = net.connect(port, '127.0.0.1');
  let reply = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    reply += text;
  });
  socket.on('error', () => undefined);
  const length = chunks.join('').length;
  socket.write(
    `POST ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  const timer = setInterval(() => {
    const chunk = left.shift();
    if (chunk !== undefined) socket.write(chunk);
  }, everyMs);
  const left = [...chunks];
  await once(socket, 'close');
  clearInterval(timer);
  return reply;
};

describe('a request body', () => {
  it('that trickles in is ended with 408', async () => {
    const reply = await send('/read', 'application/json', [...'{"a":"bcdefghijklmnopqrstuvwxyz"}'], 100);
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('of an upload that trickles in is ended too', async () => {
    const chunks = Array.from({ length: 40 }, () => 'x'.repeat(10));
    expect(await send('/upload', 'application/octet-stream', chunks, 100)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('of an upload may take long while it arrives', async () => {
    const chunks = Array.from({ length: 25 }, () => 'x'.repeat(2_000));
    const reply = await send('/upload', 'application/octet-stream', chunks, 100);
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    expect(reply).toContain('{"bytes":50000}');
  });

  it('that the server itself reads late is not ended', async () => {
    const reply = await send('/late', 'application/octet-stream', ['x'.repeat(5_000)], 10);
    expect(reply).toContain('{"bytes":5000}');
  });
});
