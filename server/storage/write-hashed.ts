import type { FileHandle } from 'node:fs/promises';
import { StorageError, type StoredFile } from './file-store.ts';
import { blockBytes, type ThreadFile, writeInThread } from './write-threads.ts';

/** Limit of all partly filled blocks together; beyond it they are written before they are full. */
const maxGathered = 32 << 20;
let gatheredByAll = 0;

/** Collects chunks into full blocks: one message to the thread for eight socket chunks. */
const createBlockWriter = (file: ThreadFile, free: (chunk: Uint8Array) => void) => {
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
    for (const chunk of full) free(chunk);
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
        free(chunk);
        return;
      }
      chunks.push(chunk);
      length += chunk.byteLength;
      gatheredByAll += chunk.byteLength;
      // A stalled sender keeps its collected chunks in memory, and there may be many.
      if (gatheredByAll > maxGathered) await flush();
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
 * Writes `source` to the start of `file` and hashes it, both in a thread. `free` is called with each chunk when it is copied. Afterwards the
 * bytes are in the system's cache, not yet durable.
 * @throws StorageError 'too-large' beyond `limitBytes`; file system errors; errors of `source`
 */
export const writeHashed = async (
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
  free: (chunk: Uint8Array) => void = () => undefined,
): Promise<StoredFile> => {
  const thread = writeInThread(file.fd);
  const writer = createBlockWriter(thread, free);
  let sizeBytes = 0;
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > limitBytes) throw new StorageError('too-large', `The file has more than ${limitBytes} bytes`);
      await writer.add(chunk);
    }
    await writer.flush();
  } catch (error) {
    writer.drop();
    // The caller closes the descriptor, so no write may be pending.
    await thread.end().catch(() => undefined);
    throw error;
  }
  return { sha256: await thread.end(), sizeBytes };
};
