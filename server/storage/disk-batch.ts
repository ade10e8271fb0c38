import { type FileHandle, open, rename, unlink, utimes } from 'node:fs/promises';
import { readDraft } from './batch-files.ts';
import type { FileBatch, OnStored, StoredFile } from './file-store.ts';
import type { FolderPresence } from './folder-id.ts';
import { type StoreFolders, syncFolder } from './folders.ts';
import { forgetTemporaryPath, newTemporaryPath } from './temporary-files.ts';
import { writeHashed } from './write-hashed.ts';

interface Draft {
  readonly path: string;
  readonly stored: StoredFile;
  readonly synced: Promise<void>;
  readonly writtenAt: number;
}

/** A draft that waited longer than this for its batch is touched before it is renamed. */
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
  free: (chunk: Uint8Array) => void,
): Promise<Draft> => {
  const file = await open(path, 'wx');
  try {
    const stored = await writeHashed(file, source, limitBytes, free);
    // Starts the sync while the next file is still arriving.
    const synced = syncAndClose(file);
    synced.catch(() => undefined);
    return { path, stored, synced, writtenAt: Date.now() };
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** Updates the modification time, so that the sweep treats the file as new however long its batch took. */
const moveIn = async (draft: Draft, target: string): Promise<void> => {
  const now = new Date();
  if (now.getTime() - draft.writtenAt > freshMs) await utimes(draft.path, now, now);
  await rename(draft.path, target);
};

export interface DiskBatchOptions {
  readonly presence: FolderPresence;
  /** Called when the files are durably in place. */
  readonly onStored: OnStored;
  /** Called before a file is written. @throws StorageError 'full' */
  readonly ensureSpace: () => Promise<void>;
}

/**
 * Opens a batch of a disk store: files are written as drafts and synced while others arrive, then renamed to their hashes together, with one
 * sync per folder. A draft replaces an equal existing file, so that its age is always that of the last write.
 */
export const openDiskBatch = (
  folders: StoreFolders,
  { presence, onStored, ensureSpace }: DiskBatchOptions,
): FileBatch => {
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
    add: async (source, limitBytes = Number.POSITIVE_INFINITY, { free = () => undefined } = {}) => {
      const path = newTemporaryPath(folders.temporary);
      try {
        await ensureSpace();
        const draft = await write(path, source, limitBytes, free);
        drafts.push(draft);
        return draft.stored;
      } catch (error) {
        await unlink(path).catch(() => undefined);
        forgetTemporaryPath(path);
        throw await presence.errorOf(error);
      }
    },
    read: (stored) => readDraft(drafts, stored),
    keep: async () => {
      try {
        await presence.ensureHere();
        await Promise.all(drafts.map((draft) => draft.synced));
        await Promise.all(drafts.map((draft) => moveIn(draft, folders.pathOf(draft.stored.sha256))));
        await Promise.all([...new Set(drafts.map(({ stored }) => folders.folderOf(stored.sha256)))].map(syncFolder));
      } catch (error) {
        throw await presence.errorOf(error);
      }
      for (const draft of drafts) forgetTemporaryPath(draft.path);
      const stored = drafts.map((draft) => draft.stored.sha256);
      drafts = [];
      await onStored(stored);
    },
    discard,
  };
};
