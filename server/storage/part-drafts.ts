import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { StorageFault, type StoredFile } from './file-store.ts';
import { storeFolders, syncFolder } from './folders.ts';
import { freeChunk } from './free-chunk.ts';
import { asStorageFault, isMissing } from './storage-fault.ts';

/** Names the draft of one large file: the import that it belongs to, and the sender's key. Both are UUIDs. */
export interface DraftName {
  readonly taskId: string;
  readonly key: string;
}

/**
 * Large files that come in parts, each as one draft on this installation's disk. The length of a draft is what was received of it: nothing else has to
 * be remembered, whenever the process ends.
 */
export interface PartDrafts {
  /** Bytes received so far; 0 when there is no draft. */
  sizeOf(name: DraftName): Promise<number>;
  /**
   * Writes `source` at `offset`, which is the size of the draft, and returns the size that it has then. Durable when the promise settles, also where it
   * rejects because `source` broke off: what had come until then stays. Nobody else may hold its chunks: their memory is given back.
   * @throws StorageFault 'too-large' when there are more than `mostBytes`, 'full', 'unwritable', 'failed'; whatever `source` throws
   */
  append(name: DraftName, offset: number, source: AsyncIterable<Uint8Array>, mostBytes: number): Promise<number>;
  /** The hash and size of a draft. @throws StorageFault 'missing' */
  read(name: DraftName): Promise<StoredFile>;
  /** Puts a whole draft into the store of files, durably; it is no draft then. @throws StorageFault 'missing' */
  moveIn(name: DraftName, sha256: string): Promise<void>;
  remove(name: DraftName): Promise<void>;
  all(): Promise<DraftName[]>;
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

const openDraft = async (file: string, folder: string): Promise<FileHandle> => {
  try {
    return await open(file, 'r+');
  } catch (error) {
    if (!isMissing(error)) throw error;
    const handle = await open(file, 'w+');
    await syncFolder(folder);
    return handle;
  }
};

const writeAt = async (handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let written = 0; written < bytes.byteLength; )
    written += (await handle.write(bytes, written, bytes.byteLength - written, position + written)).bytesWritten;
};

/** @param root the folder of the disk store that whole files go to */
export const openPartDrafts = async (root: string): Promise<PartDrafts> => {
  const folders = storeFolders(root);
  const folder = path.join(root, 'parts');
  const fileOf = ({ taskId, key }: DraftName) => path.join(folder, `${taskId}.${key}`);
  try {
    await mkdir(folder, { recursive: true });
    await syncFolder(root);
  } catch (error) {
    throw asStorageFault(error, root);
  }

  const append: PartDrafts['append'] = async (name, offset, source, mostBytes) => {
    let position = offset;
    try {
      const handle = await openDraft(fileOf(name), folder);
      try {
        for await (const chunk of source) {
          if (position + chunk.byteLength - offset > mostBytes)
            throw new StorageFault('too-large', `The part has more than ${mostBytes} bytes`);
          await writeAt(handle, chunk, position);
          position += chunk.byteLength;
          freeChunk(chunk);
        }
      } finally {
        await handle.datasync();
        await handle.close();
      }
    } catch (error) {
      throw asStorageFault(error, folder);
    }
    return position;
  };

  const missingOr = (error: unknown): unknown =>
    isMissing(error) ? new StorageFault('missing', 'The draft is not there') : asStorageFault(error, folder);

  return {
    append,
    sizeOf: async (name) => {
      try {
        return (await stat(fileOf(name))).size;
      } catch (error) {
        if (isMissing(error)) return 0;
        throw error;
      }
    },
    read: async (name) => {
      const hash = createHash('sha256');
      let sizeBytes = 0;
      try {
        for await (const chunk of createReadStream(fileOf(name), { highWaterMark: 1 << 20 })) {
          hash.update(chunk);
          sizeBytes += chunk.length;
        }
      } catch (error) {
        throw missingOr(error);
      }
      return { sha256: hash.digest('hex'), sizeBytes };
    },
    moveIn: async (name, sha256) => {
      const now = new Date();
      try {
        await utimes(fileOf(name), now, now);
        await rename(fileOf(name), folders.pathOf(sha256));
        await syncFolder(folders.folderOf(sha256));
      } catch (error) {
        throw missingOr(error);
      }
    },
    remove: async (name) => {
      await unlink(fileOf(name)).catch((error) => {
        if (!isMissing(error)) throw asStorageFault(error, folder);
      });
    },
    all: async () =>
      (await readdir(folder)).flatMap((file) => {
        const [taskId = '', key = ''] = file.split('.');
        return isId(taskId) && isId(key) ? [{ taskId, key }] : [];
      }),
  };
};
