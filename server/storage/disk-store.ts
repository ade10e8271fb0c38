import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { openDiskBatch } from './disk-batch.ts';
import { type ByteRange, type FileStore, StorageFault } from './file-store.ts';
import { makeFolders, storeFolders } from './folders.ts';
import { emptyQuarantine, takeFromQuarantine } from './quarantine.ts';
import { asStorageFault, isMissing } from './storage-fault.ts';
import { removeOrphans } from './temporary-files.ts';

/** Read at once: an image takes a few reads, not dozens. */
const readBytes = 1 << 19;

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

const sizeOrNull = async (file: string): Promise<number | null> => {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/**
 * Keeps files in `root` as `<first two hex digits>/<sha256>`. Folders are made here, once, and files of writers that died are removed.
 * @throws StorageFault 'full', 'unwritable', 'failed' when the folder cannot be prepared
 */
export const openDiskStore = async (root: string): Promise<FileStore> => {
  const folders = storeFolders(root);
  try {
    await makeFolders(folders);
    await removeOrphans(folders.temporary);
    await emptyQuarantine(folders);
  } catch (error) {
    throw asStorageFault(error, root);
  }

  const put = async (source: AsyncIterable<Uint8Array>, limitBytes?: number) => {
    const batch = openDiskBatch(folders);
    try {
      const stored = await batch.add(source, limitBytes);
      await batch.keep();
      return stored;
    } finally {
      await batch.discard();
    }
  };

  const sizeOf = async (sha256: string) => {
    if (!isHash(sha256)) return null;
    const size = await sizeOrNull(folders.pathOf(sha256));
    if (size !== null || !(await takeFromQuarantine(folders, sha256))) return size;
    return sizeOrNull(folders.pathOf(sha256));
  };

  const localPath = async (sha256: string) => {
    if ((await sizeOf(sha256)) === null) throw new StorageFault('missing', `The store holds no file ${sha256}`);
    return folders.pathOf(sha256);
  };

  const openRange = async (sha256: string, range?: ByteRange) => {
    const file = await localPath(sha256);
    const stream = createReadStream(file, {
      highWaterMark: readBytes,
      ...(range ? { start: range.first, end: range.last } : {}),
    });
    // A reader that goes away destroys the stream; that is no fault of the store.
    finished(stream).catch(() => undefined);
    return stream;
  };

  return { put, batch: () => openDiskBatch(folders), sizeOf, openRange, localPath };
};
