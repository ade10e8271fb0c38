import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A part of a multipart reply. */
export interface Part {
  readonly contentType: string;
  readonly open: () => Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>>;
}

/** dcm4che reads the boundary from the first line, and dicomweb-client the headers of the first part: nothing precedes them. */
async function* bodyOf(parts: AsyncIterable<Part>, boundary: string) {
  let before = '';
  for await (const { contentType, open } of parts) {
    const body = await open();
    yield Buffer.from(`${before}--${boundary}\r\nContent-Type: ${contentType}\r\n\r\n`);
    yield* body;
    before = '\r\n';
  }
  yield Buffer.from(`${before}--${boundary}--\r\n`);
}

/** Streams parts as `multipart/related` (PS3.18 8.7.1), one after the other. An error after the first byte ends the connection. */
export const sendParts = (reply: FastifyReply, mediaType: string, parts: AsyncIterable<Part>): FastifyReply => {
  const boundary = `dentarium-${randomBytes(16).toString('hex')}`;
  const body = Readable.from(bodyOf(parts, boundary), { objectMode: false, highWaterMark: 2 ** 16 });
  return reply
    .headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' })
    .type(`multipart/related; type="${mediaType}"; boundary=${boundary}`)
    .send(body);
};

/** Awaits the first of a series of things, so that its error becomes the reply, and returns all of them. @throws errors of the first */
export const startedFrom = async <Thing>(things: AsyncGenerator<Thing>): Promise<AsyncIterable<Thing>> => {
  const first = await things.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* things;
  })();
};
