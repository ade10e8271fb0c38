import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { StorageFault, type StoredFile } from './file-store.ts';

const batchBytes = 1 << 20;

/** Writes in batches; a batch is on its way to the disk while the next one is read and hashed. */
const createBatchWriter = (file: FileHandle) => {
  let batch: Uint8Array[] = [];
  let length = 0;
  let writing: Promise<unknown> = Promise.resolve();
  const flush = async () => {
    await writing;
    if (length === 0) return;
    const full = batch;
    batch = [];
    length = 0;
    writing = writeAll(file, full);
    // Awaited by the next flush; a failure in between must not count as unhandled.
    writing.catch(() => undefined);
  };
  return {
    add: async (chunk: Uint8Array) => {
      batch.push(chunk);
      length += chunk.byteLength;
      if (length >= batchBytes) await flush();
    },
    finish: async () => {
      await flush();
      await writing;
    },
  };
};

/** `writev` may write less than it was given, on a disk that is running full above all. */
const writeAll = async (file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> => {
  const total = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const { bytesWritten } = await file.writev([...chunks]);
  if (bytesWritten === total) return;
  let rest = Buffer.concat(chunks).subarray(bytesWritten);
  while (rest.byteLength > 0) {
    const written = await file.write(rest);
    rest = rest.subarray(written.bytesWritten);
  }
};

/**
 * Writes `source` to `file`, makes it durable (fdatasync) and hashes it on the way.
 * @throws StorageFault 'too-large' when there are more than `limitBytes`; errors of the file system; whatever `source` throws
 */
export const writeHashed = async (
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<StoredFile> => {
  const hash = createHash('sha256');
  const writer = createBatchWriter(file);
  let sizeBytes = 0;
  for await (const chunk of source) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > limitBytes) throw new StorageFault('too-large', `The file has more than ${limitBytes} bytes`);
    hash.update(chunk);
    await writer.add(chunk);
  }
  await writer.finish();
  await file.datasync();
  return { sha256: hash.digest('hex'), sizeBytes };
};
