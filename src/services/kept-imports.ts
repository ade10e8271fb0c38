import type { DBSchema, IDBPDatabase } from 'idb';
import type { ImportKind } from '../../contract/imports.ts';
import type { Failure } from './failure.ts';

/** A file of an import, and how far it was. `lost`: its bytes are no longer here. */
export interface KeptFileFacts {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly status: 'waiting' | 'uploaded' | 'refused' | 'lost';
  readonly failure: Failure | null;
}

/** An import of the tray as the browser keeps it. */
export interface KeptImportFacts {
  readonly id: string;
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly taskId: string | null;
  readonly paused: boolean;
}

interface KeptStore extends DBSchema {
  imports: { key: string; value: KeptImportFacts & { account: string; createdAtMs: number } };
  /** The place keeps the order in which they were chosen. */
  files: { key: [string, string]; value: KeptFileFacts & { importId: string; place: number } };
  bytes: { key: [string, string]; value: File };
}

export interface KeptImports {
  /** What the account left, oldest first, without what is too old. Nobody else's is ever told. */
  readonly restore: (account: string) => Promise<readonly (KeptImportFacts & { files: readonly KeptFileFacts[] })[]>;
  readonly keep: (account: string, facts: KeptImportFacts, files: readonly KeptFileFacts[]) => Promise<void>;
  readonly change: (id: string, changed: Partial<Pick<KeptImportFacts, 'taskId' | 'paused'>>) => Promise<void>;
  /** Files whose state changed; the bytes of those that the archive has, or does not want, go. */
  readonly settle: (
    id: string,
    changes: readonly (Pick<KeptFileFacts, 'key'> & Partial<Pick<KeptFileFacts, 'status' | 'failure'>>)[],
  ) => Promise<void>;
  /** Copies the bytes of files into the browser's store. False: there is no room, or there is no store. */
  readonly putAside: (id: string, files: readonly (readonly [key: string, file: File])[]) => Promise<boolean>;
  readonly bytesOf: (id: string, keys: readonly string[]) => Promise<ReadonlyMap<string, File>>;
  readonly forget: (id: string) => Promise<void>;
}

const oldestMs = 7 * 24 * 60 * 60 * 1_000;

const open = async (name: string): Promise<IDBPDatabase<KeptStore>> => {
  const { openDB } = await import('idb');
  return openDB<KeptStore>(name, 1, {
    upgrade: (store) => {
      store.createObjectStore('imports', { keyPath: 'id' });
      store.createObjectStore('files', { keyPath: ['importId', 'key'] });
      store.createObjectStore('bytes');
    },
  });
};

/** Everything of one import: its keys begin with its id. */
const within = (id: string) => IDBKeyRange.bound([id, ''], [id, '\uffff']);

/**
 * Keeps the tray over a reload and a sign-out, account by account, in IndexedDB. Where the browser gives no store (a private window, no room)
 * everything goes on without: nothing here ever fails.
 */
export const createKeptImports = (name = 'dentarium.imports', now: () => number = Date.now): KeptImports => {
  let store: Promise<IDBPDatabase<KeptStore> | null> | null = null;
  const opened = () => {
    store ??= Promise.resolve()
      .then(() => open(name))
      .catch(() => null);
    return store;
  };
  const tried = async <Result>(without: Result, work: (db: IDBPDatabase<KeptStore>) => Promise<Result>) => {
    const db = await opened();
    if (!db) return without;
    try {
      return await work(db);
    } catch {
      return without;
    }
  };

  const forget = (id: string) =>
    tried(undefined, async (db) => {
      const change = db.transaction(['imports', 'files', 'bytes'], 'readwrite');
      await Promise.all([
        change.objectStore('imports').delete(id),
        change.objectStore('files').delete(within(id)),
        change.objectStore('bytes').delete(within(id)),
        change.done,
      ]);
    });

  return {
    forget,
    restore: (account) =>
      tried([], async (db) => {
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
    keep: (account, facts, files) =>
      tried(undefined, async (db) => {
        const change = db.transaction(['imports', 'files'], 'readwrite');
        const into = change.objectStore('files');
        await Promise.all([
          change.objectStore('imports').put({ ...facts, account, createdAtMs: now() }),
          ...files.map((file, place) => into.put({ ...file, importId: facts.id, place })),
          change.done,
        ]);
      }),
    change: (id, changed) =>
      tried(undefined, async (db) => {
        const change = db.transaction('imports', 'readwrite');
        const held = await change.store.get(id);
        if (held) await change.store.put({ ...held, ...changed });
        await change.done;
      }),
    settle: (id, changes) =>
      tried(undefined, async (db) => {
        const change = db.transaction(['files', 'bytes'], 'readwrite');
        const [files, bytes] = [change.objectStore('files'), change.objectStore('bytes')];
        await Promise.all([
          ...changes.map(async ({ key, ...changed }) => {
            const held = await files.get([id, key]);
            if (held) await files.put({ ...held, ...changed });
            if (changed.status === 'uploaded' || changed.status === 'refused') await bytes.delete([id, key]);
          }),
          change.done,
        ]);
      }),
    putAside: (id, some) =>
      tried(false, async (db) => {
        const change = db.transaction(['files', 'bytes'], 'readwrite');
        const [files, bytes] = [change.objectStore('files'), change.objectStore('bytes')];
        await Promise.all([
          ...some.map(async ([key, file]) => {
            // Taken meanwhile: its bytes are wanted no more.
            const held = await files.get([id, key]);
            if (held && held.status !== 'uploaded' && held.status !== 'refused') await bytes.put(file, [id, key]);
          }),
          change.done,
        ]);
        return true;
      }),
    bytesOf: (id, keys) =>
      tried(new Map(), async (db) => {
        const read = db.transaction('bytes');
        const files = await Promise.all(keys.map((key) => read.store.get([id, key])));
        return new Map(keys.flatMap((key, index) => (files[index] ? [[key, files[index]] as const] : [])));
      }),
  };
};
