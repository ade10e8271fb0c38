import { type FileHandle, open, rename, unlink, utimes } from 'node:fs/promises';
import type { FileBatch, StoredFile } from './file-store.ts';
import { type StoreFolders, syncFolder } from './folders.ts';
import { asStorageFault } from './storage-fault.ts';
import { forgetTemporaryPath, newTemporaryPath } from './temporary-files.ts';
import { writeHashed } from './write-hashed.ts';

interface Draft {
  readonly path: string;
  readonly stored: StoredFile;
  readonly synced: Promise<void>;
  readonly writtenAt: number;
}

/** A draft that waited longer than this for its batch is made new before it is put. */
const freshMs = 60_000;

const syncAndClose = async (file: FileHandle): Promise<void> => {
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
};

const write = async (
  path: string,
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
  mayFree: boolean,
): Promise<Draft> => {
  const file = await open(path, 'wx');
  try {
    const stored = await writeHashed(file, source, limitBytes, mayFree);
    // Begins now, while the next file is still coming.
    const synced = syncAndClose(file);
    synced.catch(() => undefined);
    return { path, stored, synced, writtenAt: Date.now() };
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** What was put looks new to a sweep, however long its batch took. */
const moveIn = async (draft: Draft, target: string): Promise<void> => {
  const now = new Date();
  if (now.getTime() - draft.writtenAt > freshMs) await utimes(draft.path, now, now);
  await rename(draft.path, target);
};

/**
 * Files on their way into a disk store: written as drafts and synced while the next ones come; then renamed to their hashes all at once, and each folder
 * synced once. A draft takes the place of an equal file that is there already, so that what was put last always looks new to a sweep.
 */
export const openDiskBatch = (folders: StoreFolders): FileBatch => {
  let drafts: Draft[] = [];

  const discard = async () => {
    const left = drafts;
    drafts = [];
    for (const draft of left) {
      await draft.synced.catch(() => undefined);
      await unlink(draft.path).catch(() => undefined);
      forgetTemporaryPath(draft.path);
    }
  };

  return {
    add: async (source, limitBytes = Number.POSITIVE_INFINITY, { mayFree = false } = {}) => {
      const path = newTemporaryPath(folders.temporary);
      try {
        const draft = await write(path, source, limitBytes, mayFree);
        drafts.push(draft);
        return draft.stored;
      } catch (error) {
        await unlink(path).catch(() => undefined);
        forgetTemporaryPath(path);
        throw asStorageFault(error, folders.root);
      }
    },
    keep: async () => {
      try {
        await Promise.all(drafts.map((draft) => draft.synced));
        await Promise.all(drafts.map((draft) => moveIn(draft, folders.pathOf(draft.stored.sha256))));
        await Promise.all([...new Set(drafts.map(({ stored }) => folders.folderOf(stored.sha256)))].map(syncFolder));
      } catch (error) {
        throw asStorageFault(error, folders.root);
      }
      for (const draft of drafts) forgetTemporaryPath(draft.path);
      drafts = [];
    },
    discard,
  };
};
