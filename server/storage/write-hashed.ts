import type { FileHandle } from 'node:fs/promises';
import { StorageFault, type StoredFile } from './file-store.ts';
import { freeChunk } from './free-chunk.ts';
import { blockBytes, type ThreadFile, writeInThread } from './write-threads.ts';

/** What all uploads together may gather before it is handed on in blocks that are not full. */
const mostGathered = 32 << 20;
let gatheredByAll = 0;

/** Gathers chunks to whole blocks: one message to the thread for eight chunks of a socket. */
const createBlockWriter = (file: ThreadFile, mayFree: boolean) => {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let position = 0;
  const flush = async () => {
    const [full, size, at] = [chunks, length, position];
    if (size === 0) return;
    chunks = [];
    length = 0;
    position += size;
    gatheredByAll -= size;
    await file.write(full, at);
    if (mayFree) for (const chunk of full) freeChunk(chunk);
  };
  return {
    add: async (chunk: Uint8Array) => {
      if (length + chunk.byteLength > blockBytes) await flush();
      if (chunk.byteLength > blockBytes) {
        for (let at = 0; at < chunk.byteLength; at += blockBytes) {
          const piece = chunk.subarray(at, at + blockBytes);
          await file.write([piece], position);
          position += piece.byteLength;
        }
        if (mayFree) freeChunk(chunk);
        return;
      }
      chunks.push(chunk);
      length += chunk.byteLength;
      gatheredByAll += chunk.byteLength;
      // A sender that stands still keeps what it has gathered in memory, and there may be many of them.
      if (gatheredByAll > mostGathered) await flush();
    },
    flush,
    drop: () => {
      gatheredByAll -= length;
      chunks = [];
      length = 0;
    },
  };
};

/**
 * Writes `source` to the beginning of `file` and hashes it on the way, both in another thread. `mayFree`: nobody else holds its chunks. The bytes are with the system then, not yet durable.
 * @throws StorageFault 'too-large' when there are more than `limitBytes`; errors of the file system; whatever `source` throws
 */
export const writeHashed = async (
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
  mayFree = false,
): Promise<StoredFile> => {
  const thread = writeInThread(file.fd);
  const writer = createBlockWriter(thread, mayFree);
  let sizeBytes = 0;
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > limitBytes) throw new StorageFault('too-large', `The file has more than ${limitBytes} bytes`);
      await writer.add(chunk);
    }
    await writer.flush();
  } catch (error) {
    writer.drop();
    // The descriptor is closed by the caller: nothing may be on its way to it then.
    await thread.end().catch(() => undefined);
    throw error;
  }
  return { sha256: await thread.end(), sizeBytes };
};
