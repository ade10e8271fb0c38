import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { type ByteRange, type FileStore, StorageFault } from './file-store.ts';
import { asStorageFault, isMissing } from './storage-fault.ts';
import { forgetTemporaryPath, newTemporaryPath, removeOrphans } from './temporary-files.ts';
import { writeHashed } from './write-hashed.ts';

const shards = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));
const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const sizeOrNull = async (file: string): Promise<number | null> => {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const makeFolders = async (root: string, temporary: string): Promise<void> => {
  await mkdir(temporary, { recursive: true });
  await Promise.all(shards.map((shard) => mkdir(path.join(root, shard), { recursive: true })));
  // Without this a shard made just now could vanish in a power cut, and with it every file that was put there.
  await syncFolder(root);
  await syncFolder(path.dirname(root));
};

/**
 * Keeps files in `root` as `<first two hex digits>/<sha256>`. Folders are made here, once, and files of writers that died are removed.
 * @throws StorageFault 'full', 'unwritable', 'failed' when the folder cannot be prepared
 */
export const openDiskStore = async (root: string): Promise<FileStore> => {
  const temporary = path.join(root, 'temporary');
  try {
    await makeFolders(root, temporary);
    await removeOrphans(temporary);
  } catch (error) {
    throw asStorageFault(error, root);
  }
  const folderOf = (sha256: string) => path.join(root, sha256.slice(0, 2));
  const pathOf = (sha256: string) => path.join(folderOf(sha256), sha256);

  const write = async (draft: string, source: AsyncIterable<Uint8Array>, limitBytes: number) => {
    const file: FileHandle = await open(draft, 'wx');
    try {
      return await writeHashed(file, source, limitBytes);
    } finally {
      await file.close();
    }
  };

  const put = async (source: AsyncIterable<Uint8Array>, limitBytes = Number.POSITIVE_INFINITY) => {
    const draft = newTemporaryPath(temporary);
    try {
      const stored = await write(draft, source, limitBytes);
      const held = await sizeOrNull(pathOf(stored.sha256));
      await (held === stored.sizeBytes ? unlink(draft) : rename(draft, pathOf(stored.sha256)));
      // Also when the file was there already: its writer may not have come to this line yet.
      await syncFolder(folderOf(stored.sha256));
      return stored;
    } catch (error) {
      await unlink(draft).catch(() => undefined);
      throw asStorageFault(error, root);
    } finally {
      forgetTemporaryPath(draft);
    }
  };

  const sizeOf = async (sha256: string) => (isHash(sha256) ? sizeOrNull(pathOf(sha256)) : null);

  const localPath = async (sha256: string) => {
    if ((await sizeOf(sha256)) === null) throw new StorageFault('missing', `The store holds no file ${sha256}`);
    return pathOf(sha256);
  };

  const openRange = async (sha256: string, range?: ByteRange) => {
    const file = await localPath(sha256);
    const stream = createReadStream(file, range ? { start: range.first, end: range.last } : {});
    // A reader that goes away destroys the stream; that is no fault of the store.
    finished(stream).catch(() => undefined);
    return stream;
  };

  return { put, sizeOf, openRange, localPath };
};
