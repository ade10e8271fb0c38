import type { Socket } from 'node:net';

/** Thrown when the connection ends where the peer had to send more. */
export class PeerClosed extends Error {
  override readonly name = 'PeerClosed';
}

/** Thrown when the peer sends nothing for as long as allowed. */
export class PeerSilent extends Error {
  override readonly name = 'PeerSilent';
}

/** The connection is paused beyond these; a chunk can be a single byte. */
const maxBuffered = 256 << 10;
const maxChunks = 256;

/** Memory that only the reader which received it hands out, part by part. */
const receivedBuffers = new WeakSet<ArrayBufferLike>();

/**
 * Frees what arrived together once its last part is used; the parts before it must have been used. The garbage collector would mark the
 * whole heap for every 64 MB.
 */
export const freeLastPart = (part: Uint8Array): void => {
  const { buffer } = part;
  if (!(buffer instanceof ArrayBuffer) || !receivedBuffers.has(buffer)) return;
  if (part.byteOffset + part.byteLength === buffer.byteLength) buffer.transfer(0);
};

export interface ByteReader {
  /** Returns exactly `length` bytes, which must all arrive in time. For headers and PDUs with a small limit. @throws PeerClosed, PeerSilent */
  take(length: number): Promise<Buffer>;
  /** Returns the next one to `most` bytes as they arrived, without copying. @throws PeerClosed, PeerSilent */
  chunk(most: number): Promise<Buffer>;
  /** Whether something has arrived that was not read. */
  hasInput(): boolean;
  /** Drops everything that arrives from now on. */
  discard(): void;
}

/** Reads a connection on demand. The time of `timeoutMs` runs only while a caller waits for the peer. */
export const createByteReader = (socket: Socket, timeoutMs: number): ByteReader => {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let isDiscarding = false;
  let isEnded = false;
  let wake = () => {};

  socket.on('data', (chunk: Buffer) => {
    if (isDiscarding) return;
    if (chunk.length === chunk.buffer.byteLength) receivedBuffers.add(chunk.buffer);
    chunks.push(chunk);
    buffered += chunk.length;
    if (buffered >= maxBuffered || chunks.length >= maxChunks) socket.pause();
    wake();
  });
  for (const event of ['end', 'close', 'error'])
    socket.on(event, () => {
      isEnded = true;
      wake();
    });

  const arrival = async (deadline: number): Promise<void> => {
    while (buffered === 0) {
      if (isEnded || isDiscarding) throw new PeerClosed('The connection was closed');
      const left = deadline - performance.now();
      if (left <= 0) throw new PeerSilent('The peer sent nothing in time');
      socket.resume();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = () => {};
    }
  };

  const next = (most: number): Buffer => {
    const first = chunks[0] ?? Buffer.alloc(0);
    const part = first.length <= most ? first : first.subarray(0, most);
    if (part.length === first.length) chunks.shift();
    else chunks[0] = first.subarray(most);
    buffered -= part.length;
    return part;
  };

  const chunk = async (most: number): Promise<Buffer> => {
    if (buffered === 0) await arrival(performance.now() + timeoutMs);
    return next(most);
  };

  const take = async (length: number): Promise<Buffer> => {
    const first = chunks[0];
    if (first && first.length >= length) return next(length);
    const deadline = performance.now() + timeoutMs;
    const parts: Buffer[] = [];
    for (let left = length; left > 0; ) {
      await arrival(deadline);
      const part = next(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts, length);
  };

  const discard = () => {
    isDiscarding = true;
    chunks = [];
    buffered = 0;
    wake();
    socket.resume();
  };
  return { take, chunk, hasInput: () => buffered > 0, discard };
};
