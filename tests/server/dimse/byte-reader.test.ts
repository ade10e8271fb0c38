import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createByteReader, freeLastPart } from '../../../server/dimse/pdu/byte-reader.ts';

/** A reader, and the socket that sends to it. */
const startReader = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const accepted = once(server, 'connection');
  const sender = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  const [socket] = (await accepted) as [Socket];
  onTestFinished(() => {
    sender.destroy();
    socket.destroy();
    server.close();
  });
  return { reader: createByteReader(socket, 10_000), sender };
};

it('frees what arrived together with its last part', async () => {
  const { reader, sender } = await startReader();
  sender.write('header, payload');
  const first = await reader.chunk(6);
  const last = await reader.chunk(100);
  expect(last.toString()).toBe(', payload');
  freeLastPart(first);
  expect(first.toString()).toBe('header');
  freeLastPart(last);
  expect([first.length, last.length]).toEqual([0, 0]);
});

it('frees no memory of others, also where it ends with a part', () => {
  const whole = new Uint8Array(new ArrayBuffer(8), 4);
  const pooled = Buffer.from('text');
  freeLastPart(whole);
  freeLastPart(pooled);
  expect([whole.buffer.byteLength, pooled.toString()]).toEqual([8, 'text']);
});
