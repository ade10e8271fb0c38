import { newId } from '../../contract/new-id.ts';
import type { ImportStore, StoredFileFacts, StoredImportFacts } from './import-store.ts';
import type { TabLocks } from './tab-locks.ts';

/** A browser file with its path within the chosen folder. */
export interface FileWithPath {
  readonly file: File;
  readonly path: string;
}

/** Serializable data of a chosen file. */
export interface ChosenFileFacts {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export interface RestoredImport extends StoredImportFacts {
  readonly files: readonly StoredFileFacts[];
}

type Change = Parameters<ImportStore['updateFiles']>[1][number];

/** Holds the bytes of imports until they are uploaded, and stores copies that survive a reload. */
export interface ImportFiles {
  /** Assigns a unique key to each file. */
  readonly choose: (files: readonly FileWithPath[]) => readonly ChosenFileFacts[];
  /** Stores a new import and copies its files, the last first, while the first are uploaded. */
  readonly begin: (facts: StoredImportFacts, files: readonly ChosenFileFacts[]) => void;
  /** Restores lost files under their keys. */
  readonly restoreFiles: (id: string, files: ReadonlyMap<string, File>) => void;
  readonly filesOf: (id: string, keys: readonly string[]) => Promise<ReadonlyMap<string, File>>;
  readonly updateFiles: (id: string, changes: readonly Change[]) => void;
  readonly change: (id: string, changed: Partial<Pick<StoredImportFacts, 'taskId' | 'paused'>>) => void;
  /** Returns stored imports of the signed-in account that no other tab has locked. */
  readonly restore: () => Promise<readonly RestoredImport[]>;
  /** Removes a finished import. */
  readonly remove: (id: string) => void;
  /** Releases everything after sign-out; stored imports stay for the next sign-in. */
  readonly signOut: () => void;
  /** Returns whether closing the tab would lose bytes. */
  readonly hasUnsavedBytes: () => boolean;
}

export interface ImportFilesDependencies {
  readonly store: ImportStore;
  readonly locks: TabLocks;
  /** The signed-in account; null after sign-out. */
  readonly account: () => string | null;
  /** Delay before copying, in milliseconds: files uploaded earlier are not copied. */
  readonly graceMs?: number;
}

/** Limits of one copy transaction. */
const maxBytes = 8 * 1024 * 1024;
const maxFiles = 20;

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const createImportFiles = (deps: ImportFilesDependencies): ImportFiles => {
  const { store, locks, account, graceMs = 1_000 } = deps;
  const filesByKey = new Map<string, { readonly file: File; isCopied: boolean }>();
  let owner: string | null = null;
  /** Incremented at sign-out: pending copies of earlier sessions are dropped. */
  let session = 0;
  let isOpen = false;
  /** Serializes copies of all imports. */
  let copying: Promise<unknown> = Promise.resolve();
  let leaving: Promise<unknown> = Promise.resolve();

  /** Takes files from the end that are still needed and not copied. */
  const nextToCopy = (waiting: string[]): readonly (readonly [string, File])[] => {
    const some: (readonly [string, File])[] = [];
    let bytes = 0;
    while (waiting.length > 0 && some.length < maxFiles && bytes < maxBytes) {
      const key = waiting.pop();
      const one = key === undefined ? undefined : filesByKey.get(key);
      if (key === undefined || !one || one.isCopied) continue;
      some.push([key, one.file]);
      bytes += one.file.size;
    }
    return some;
  };

  const saveCopies = (id: string, keys: readonly string[], after: Promise<unknown>): void => {
    const thisSession = session;
    const waiting = [...keys];
    const copySome = async (): Promise<void> => {
      await after;
      while (thisSession === session) {
        const some = nextToCopy(waiting);
        if (some.length === 0 || !(await store.saveBytes(id, some))) return;
        for (const [key] of some) {
          const one = filesByKey.get(key);
          if (one) one.isCopied = true;
        }
      }
    };
    void delay(graceMs).then(() => {
      copying = copying.then(copySome);
    });
  };

  const release = (keys: readonly string[]) => {
    for (const key of keys) filesByKey.delete(key);
  };
  const keysOf = new Map<string, string[]>();
  const remember = (id: string, keys: readonly string[]) => keysOf.set(id, [...(keysOf.get(id) ?? []), ...keys]);

  return {
    choose: (files) =>
      files.map(({ file, path }) => {
        const key = newId();
        filesByKey.set(key, { file, isCopied: false });
        return { key, path, name: file.name, sizeBytes: file.size };
      }),
    begin: (facts, files) => {
      const accountId = account();
      const keys = files.map(({ key }) => key);
      remember(facts.id, keys);
      if (accountId === null) return;
      void locks.acquire(facts.id);
      const entry = files.map((file) => ({ ...file, status: 'waiting' as const, failure: null }));
      saveCopies(facts.id, keys, store.save(accountId, facts, entry));
    },
    restoreFiles: (id, files) => {
      for (const [key, file] of files) filesByKey.set(key, { file, isCopied: false });
      const keys = [...files.keys()];
      remember(id, keys);
      saveCopies(
        id,
        keys,
        store.updateFiles(
          id,
          keys.map((key) => ({ key, status: 'waiting' as const })),
        ),
      );
    },
    filesOf: async (id, keys) => {
      const found = new Map<string, File>();
      for (const key of keys) {
        const one = filesByKey.get(key);
        if (one) found.set(key, one.file);
      }
      const missing = keys.filter((key) => !found.has(key));
      if (missing.length > 0) for (const [key, file] of await store.bytesOf(id, missing)) found.set(key, file);
      return found;
    },
    updateFiles: (id, changes) => {
      release(changes.filter(({ status }) => status === 'uploaded' || status === 'refused').map(({ key }) => key));
      void store.updateFiles(id, changes);
    },
    change: (id, changed) => void store.update(id, changed),
    restore: async () => {
      const accountId = account();
      // Files chosen by another user must not be accessible.
      if (accountId !== owner) filesByKey.clear();
      owner = accountId;
      isOpen = true;
      await leaving;
      if (accountId === null) return [];
      const all = await store.restore(accountId);
      const free = await Promise.all(all.map(({ id }) => locks.acquire(id)));
      return all
        .filter((_, index) => free[index])
        .map((one) => {
          remember(
            one.id,
            one.files.map(({ key }) => key),
          );
          const files = one.files.map((file) =>
            file.status === 'lost' && filesByKey.has(file.key) ? { ...file, status: 'waiting' as const } : file,
          );
          return { ...one, files };
        });
    },
    remove: (id) => {
      release(keysOf.get(id) ?? []);
      keysOf.delete(id);
      void store.remove(id).then(() => locks.release(id));
    },
    signOut: () => {
      session += 1;
      isOpen = false;
      keysOf.clear();
      leaving = locks.releaseAll();
    },
    hasUnsavedBytes: () => isOpen && [...filesByKey.values()].some(({ isCopied }) => !isCopied),
  };
};
