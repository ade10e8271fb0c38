import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { putBy } from './batch-files.ts';
import { openDiskBatch } from './disk-batch.ts';
import { type ByteRange, type FileStore, type OnStored, StorageError } from './file-store.ts';
import { openFolderPresence } from './folder-id.ts';
import { makeFolders, storeFolders } from './folders.ts';
import { emptyQuarantine, takeFromQuarantine } from './quarantine.ts';
import { asStorageError, isMissing } from './storage-error.ts';
import { removeOrphans } from './temporary-files.ts';
import { createVerifiedReads } from './verified-reads.ts';

/** Read size: an image takes a few reads, not dozens. */
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

export interface DiskStoreOptions {
  /** Whether the folder is known to be missing or replaced. */
  readonly isAway?: () => boolean;
  /** Called when the files are durably in place. */
  readonly onStored?: OnStored;
  /** Called before a file is written. @throws StorageError 'full' */
  readonly ensureSpace?: () => Promise<void>;
}

/**
 * Opens a store of files in `root` as `<first two hex digits>/<sha256>`. Creates the folders once and removes drafts of processes that died.
 * @throws StorageError 'full', 'unwritable', 'failed' when the folder cannot be prepared
 */
export const openDiskStore = async (root: string, options: DiskStoreOptions = {}): Promise<FileStore> => {
  const { isAway = () => false, onStored = async () => undefined, ensureSpace = async () => undefined } = options;
  const folders = storeFolders(root);
  try {
    await makeFolders(folders);
    await removeOrphans(folders.temporary);
    await emptyQuarantine(folders);
  } catch (error) {
    throw asStorageError(error, root);
  }
  const presence = await openFolderPresence(root, isAway);
  const openBatch = () => openDiskBatch(folders, { presence, onStored, ensureSpace });

  const sizeOf = async (sha256: string) => {
    if (!isHash(sha256)) return null;
    try {
      const size = await sizeOrNull(folders.pathOf(sha256));
      if (size !== null) return size;
      // A missing folder does not mean a missing file.
      await presence.ensureHere();
      return (await takeFromQuarantine(folders, sha256)) ? await sizeOrNull(folders.pathOf(sha256)) : null;
    } catch (error) {
      throw await presence.errorOf(error);
    }
  };

  const localPath = async (sha256: string) => {
    if ((await sizeOf(sha256)) === null) throw new StorageError('missing', `The store holds no file ${sha256}`);
    return folders.pathOf(sha256);
  };

  const openRange = async (sha256: string, range?: ByteRange) => {
    const file = await localPath(sha256);
    const stream = createReadStream(file, {
      highWaterMark: readBytes,
      ...(range ? { start: range.first, end: range.last } : {}),
    });
    // A reader that disconnects destroys the stream; that is not a storage error.
    finished(stream).catch(() => undefined);
    return stream;
  };

  const { verify, openVerified } = createVerifiedReads(localPath);
  return { put: putBy(openBatch), batch: openBatch, sizeOf, verify, openVerified, openRange, localPath };
};
