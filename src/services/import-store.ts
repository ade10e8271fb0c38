import type { DBSchema, IDBPDatabase } from 'idb';
import type { ImportKind } from '../../contract/imports.ts';
import type { Failure } from './failure.ts';

/** A stored file of an import. `lost`: its bytes are not stored. */
export interface StoredFileFacts {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly status: 'waiting' | 'uploaded' | 'refused' | 'lost';
  readonly failure: Failure | null;
}

/** A stored import of the tray. */
export interface StoredImportFacts {
  readonly id: string;
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly taskId: string | null;
  readonly paused: boolean;
}

interface ImportDatabase extends DBSchema {
  imports: { key: string; value: StoredImportFacts & { account: string; createdAtMs: number } };
  /** `place` is the order in which files were chosen. */
  files: { key: [string, string]; value: StoredFileFacts & { importId: string; place: number } };
  bytes: { key: [string, string]; value: File };
}

export interface ImportStore {
  /** Returns imports of the account only, oldest first, without expired ones. */
  readonly restore: (
    account: string,
  ) => Promise<readonly (StoredImportFacts & { files: readonly StoredFileFacts[] })[]>;
  readonly save: (account: string, facts: StoredImportFacts, files: readonly StoredFileFacts[]) => Promise<void>;
  readonly update: (id: string, changed: Partial<Pick<StoredImportFacts, 'taskId' | 'paused'>>) => Promise<void>;
  /** Updates files; deletes the bytes of uploaded and rejected ones. */
  readonly updateFiles: (
    id: string,
    changes: readonly (Pick<StoredFileFacts, 'key'> & Partial<Pick<StoredFileFacts, 'status' | 'failure'>>)[],
  ) => Promise<void>;
  /** Stores the bytes of files. Returns false if there is no space or no store. */
  readonly saveBytes: (id: string, files: readonly (readonly [key: string, file: File])[]) => Promise<boolean>;
  readonly bytesOf: (id: string, keys: readonly string[]) => Promise<ReadonlyMap<string, File>>;
  readonly remove: (id: string) => Promise<void>;
}

const oldestMs = 7 * 24 * 60 * 60 * 1_000;

const open = async (name: string): Promise<IDBPDatabase<ImportDatabase>> => {
  const { openDB } = await import('idb');
  return openDB<ImportDatabase>(name, 1, {
    upgrade: (store) => {
      store.createObjectStore('imports', { keyPath: 'id' });
      store.createObjectStore('files', { keyPath: ['importId', 'key'] });
      store.createObjectStore('bytes');
    },
  });
};

/** Returns the key range of one import. */
const within = (id: string) => IDBKeyRange.bound([id, ''], [id, '\uffff']);

/**
 * Creates the store of imports in IndexedDB, per account; they survive a reload and a sign-out. No method rejects: without a store
 * (private window, no space) imports are not stored.
 */
export const createImportStore = (name = 'dentarium.imports', now: () => number = Date.now): ImportStore => {
  let store: Promise<IDBPDatabase<ImportDatabase> | null> | null = null;
  const opened = () => {
    store ??= Promise.resolve()
      .then(() => open(name))
      .catch(() => null);
    return store;
  };
  const withStore = async <Result>(fallback: Result, work: (db: IDBPDatabase<ImportDatabase>) => Promise<Result>) => {
    const db = await opened();
    if (!db) return fallback;
    try {
      return await work(db);
    } catch {
      return fallback;
    }
  };

  const forget = (id: string) =>
    withStore(undefined, async (db) => {
      const change = db.transaction(['imports', 'files', 'bytes'], 'readwrite');
      const deleted = [
        change.objectStore('imports').delete(id),
        change.objectStore('files').delete(within(id)),
        change.objectStore('bytes').delete(within(id)),
      ];
      // Without an explicit commit, a reload aborts a transaction that waits for its requests.
      change.commit();
      await Promise.all([...deleted, change.done]);
    });

  return {
    remove: forget,
    restore: (account) =>
      withStore([], async (db) => {
        const all = await db.getAll('imports');
        const isOld = ({ createdAtMs }: { createdAtMs: number }) => now() - createdAtMs > oldestMs;
        for (const one of all.filter(isOld)) await forget(one.id);
        const mine = all.filter((one) => one.account === account && !isOld(one));
        mine.sort((one, other) => one.createdAtMs - other.createdAtMs);
        return Promise.all(
          mine.map(async ({ account: _account, createdAtMs: _createdAtMs, ...facts }) => {
            const [files, keys] = await Promise.all([
              db.getAll('files', within(facts.id)),
              db.getAllKeys('bytes', within(facts.id)),
            ]);
            const here = new Set(keys.map(([, key]) => key));
            files.sort((one, other) => one.place - other.place);
            return {
              ...facts,
              files: files.map(({ importId: _importId, place: _place, ...file }) => ({
                ...file,
                status: file.status === 'waiting' && !here.has(file.key) ? ('lost' as const) : file.status,
              })),
            };
          }),
        );
      }),
    save: (account, facts, files) =>
      withStore(undefined, async (db) => {
        const change = db.transaction(['imports', 'files'], 'readwrite');
        const into = change.objectStore('files');
        const stored = [
          change.objectStore('imports').put({ ...facts, account, createdAtMs: now() }),
          ...files.map((file, place) => into.put({ ...file, importId: facts.id, place })),
        ];
        change.commit();
        await Promise.all([...stored, change.done]);
      }),
    update: (id, changed) =>
      withStore(undefined, async (db) => {
        const change = db.transaction('imports', 'readwrite');
        const current = await change.store.get(id);
        const stored = current && change.store.put({ ...current, ...changed });
        change.commit();
        await Promise.all([stored, change.done]);
      }),
    updateFiles: (id, changes) =>
      withStore(undefined, async (db) => {
        const change = db.transaction(['files', 'bytes'], 'readwrite');
        const [files, bytes] = [change.objectStore('files'), change.objectStore('bytes')];
        await Promise.all([
          ...changes.map(async ({ key, ...changed }) => {
            const current = await files.get([id, key]);
            if (current) await files.put({ ...current, ...changed });
            if (changed.status === 'uploaded' || changed.status === 'refused') await bytes.delete([id, key]);
          }),
          change.done,
        ]);
      }),
    saveBytes: (id, some) =>
      withStore(false, async (db) => {
        const change = db.transaction(['files', 'bytes'], 'readwrite');
        const [files, bytes] = [change.objectStore('files'), change.objectStore('bytes')];
        await Promise.all([
          ...some.map(async ([key, file]) => {
            // The file may have been uploaded meanwhile.
            const current = await files.get([id, key]);
            if (current && current.status !== 'uploaded' && current.status !== 'refused')
              await bytes.put(file, [id, key]);
          }),
          change.done,
        ]);
        return true;
      }),
    bytesOf: (id, keys) =>
      withStore(new Map(), async (db) => {
        const read = db.transaction('bytes');
        const files = await Promise.all(keys.map((key) => read.store.get([id, key])));
        return new Map(keys.flatMap((key, index) => (files[index] ? [[key, files[index]] as const] : [])));
      }),
  };
};
