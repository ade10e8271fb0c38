import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { DiskStoreOptions } from './disk-store.ts';
import { StorageError, type StoredFile } from './file-store.ts';
import { openFolderPresence } from './folder-id.ts';
import { storeFolders, syncFolder } from './folders.ts';
import { freeChunk } from './free-chunk.ts';
import { asStorageError, isMissing } from './storage-error.ts';

/** Identifies the draft of one large file: its import and the sender's key. Both are UUIDs. */
export interface DraftName {
  readonly taskId: string;
  readonly key: string;
}

/**
 * Large files received in parts, each as one draft on the local disk. The length of a draft is the number of received bytes, so no other state
 * is needed after a crash.
 */
export interface PartDrafts {
  /** Returns the received bytes; 0 without a draft. */
  sizeOf(name: DraftName): Promise<number>;
  /**
   * Writes `source` at `offset`, which is the size of the draft, and returns its new size. Durable when the promise settles; when `source`
   * fails, the bytes received so far stay. The caller gives up the chunks: their memory is freed.
   * @throws StorageError 'too-large' beyond `maxBytes`, 'full', 'unwritable', 'failed'; errors of `source`
   */
  append(name: DraftName, offset: number, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number>;
  /** Returns the hash and size of a draft. @throws StorageError 'missing' */
  read(name: DraftName): Promise<StoredFile>;
  /** Moves a complete draft durably into the file store. @throws StorageError 'missing' */
  moveIn(name: DraftName, sha256: string): Promise<void>;
  remove(name: DraftName): Promise<void>;
  all(): Promise<DraftName[]>;
}

export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

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

/** Opens the drafts. @param root the disk store's folder, to which complete files go */
export const openPartDrafts = async (
  root: string,
  {
    isAway = () => false,
    onStored = async () => undefined,
    ensureSpace = async () => undefined,
  }: DiskStoreOptions = {},
): Promise<PartDrafts> => {
  const folders = storeFolders(root);
  const folder = path.join(root, 'parts');
  const fileOf = ({ taskId, key }: DraftName) => path.join(folder, `${taskId}.${key}`);
  try {
    await mkdir(folder, { recursive: true });
    await syncFolder(root);
  } catch (error) {
    throw asStorageError(error, root);
  }
  const presence = await openFolderPresence(root, isAway);

  const append: PartDrafts['append'] = async (name, offset, source, maxBytes) => {
    let position = offset;
    try {
      await presence.ensureHere();
      await ensureSpace();
      const handle = await openDraft(fileOf(name), folder);
      try {
        for await (const chunk of source) {
          if (position + chunk.byteLength - offset > maxBytes)
            throw new StorageError('too-large', `The part has more than ${maxBytes} bytes`);
          await writeAt(handle, chunk, position);
          position += chunk.byteLength;
          freeChunk(chunk);
        }
      } finally {
        await handle.datasync();
        await handle.close();
      }
    } catch (error) {
      throw await presence.errorOf(error);
    }
    return position;
  };

  const missingOr = async (error: unknown): Promise<unknown> => {
    const actual = await presence.errorOf(error);
    const isAwayNow = actual instanceof StorageError && actual.code === 'away';
    return isMissing(error) && !isAwayNow ? new StorageError('missing', 'The draft is not there') : actual;
  };

  return {
    append,
    sizeOf: async (name) => {
      try {
        return (await stat(fileOf(name))).size;
      } catch (error) {
        if (!isMissing(error)) throw await presence.errorOf(error);
        await presence.ensureHere();
        return 0;
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
        throw await missingOr(error);
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
        throw await missingOr(error);
      }
      await onStored([sha256]);
    },
    remove: async (name) => {
      await unlink(fileOf(name)).catch((error) => {
        if (!isMissing(error)) throw asStorageError(error, folder);
      });
    },
    all: async () =>
      (await readdir(folder)).flatMap((file) => {
        const [taskId = '', key = ''] = file.split('.');
        return isId(taskId) && isId(key) ? [{ taskId, key }] : [];
      }),
  };
};
