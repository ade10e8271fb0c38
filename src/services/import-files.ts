import type { KeptFileFacts, KeptImportFacts, KeptImports } from './kept-imports.ts';
import type { TabHolds } from './tab-holds.ts';

/** A file of the browser, with its folders and name within what was chosen. */
export interface FileWithPath {
  readonly file: File;
  readonly path: string;
}

/** A chosen file as plain facts; the file itself stays here. */
export interface ChosenFileFacts {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export interface RestoredImport extends KeptImportFacts {
  readonly files: readonly KeptFileFacts[];
}

type Change = Parameters<KeptImports['settle']>[1][number];

/** Holds the files of imports until the archive has them, so that nobody else needs to hold a File; and puts them aside for a reload. */
export interface ImportFiles {
  /** Each file gets a key that no other file ever has. */
  readonly choose: (files: readonly FileWithPath[]) => readonly ChosenFileFacts[];
  /** An import begins with these files: it is kept, and its files are put aside, the last first, while the first are being sent. */
  readonly begin: (facts: KeptImportFacts, files: readonly ChosenFileFacts[]) => void;
  /** Files that were lost are here again, under the keys that they had. */
  readonly bringBack: (id: string, files: ReadonlyMap<string, File>) => void;
  readonly filesOf: (id: string, keys: readonly string[]) => Promise<ReadonlyMap<string, File>>;
  readonly settle: (id: string, changes: readonly Change[]) => void;
  readonly change: (id: string, changed: Partial<Pick<KeptImportFacts, 'taskId' | 'paused'>>) => void;
  /** What the account that is signed in left, and no other tab is at. */
  readonly restore: () => Promise<readonly RestoredImport[]>;
  /** It is over: nothing of it is kept. */
  readonly forget: (id: string) => void;
  /** Somebody signed out: what is kept stays, for when they come back. */
  readonly leave: () => void;
  /** Would closing the tab now lose bytes that are on their way? */
  readonly wouldLose: () => boolean;
}

export interface ImportFilesDependencies {
  readonly kept: KeptImports;
  readonly holds: TabHolds;
  /** Who is signed in; null: nobody. */
  readonly account: () => string | null;
  /** What is up before this is never copied, in milliseconds. */
  readonly graceMs?: number;
}

/** What is copied at a time. */
const mostBytes = 8 * 1024 * 1024;
const mostFiles = 20;

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const createImportFiles = (deps: ImportFilesDependencies): ImportFiles => {
  const { kept, holds, account, graceMs = 1_000 } = deps;
  const held = new Map<string, { readonly file: File; aside: boolean }>();
  let owner: string | null = null;
  /** Another session begins: what was planned for the last one is dropped. */
  let session = 0;
  let isOpen = false;
  /** One copy at a time, whatever the number of imports. */
  let copying: Promise<unknown> = Promise.resolve();
  let leaving: Promise<unknown> = Promise.resolve();

  /** Takes from the end what is still wanted and not copied yet. */
  const nextToCopy = (waiting: string[]): readonly (readonly [string, File])[] => {
    const some: (readonly [string, File])[] = [];
    let bytes = 0;
    while (waiting.length > 0 && some.length < mostFiles && bytes < mostBytes) {
      const key = waiting.pop();
      const one = key === undefined ? undefined : held.get(key);
      if (key === undefined || !one || one.aside) continue;
      some.push([key, one.file]);
      bytes += one.file.size;
    }
    return some;
  };

  const putAside = (id: string, keys: readonly string[], after: Promise<unknown>): void => {
    const mine = session;
    const waiting = [...keys];
    const copySome = async (): Promise<void> => {
      await after;
      while (mine === session) {
        const some = nextToCopy(waiting);
        if (some.length === 0 || !(await kept.putAside(id, some))) return;
        for (const [key] of some) {
          const one = held.get(key);
          if (one) one.aside = true;
        }
      }
    };
    void later(graceMs).then(() => {
      copying = copying.then(copySome);
    });
  };

  const release = (keys: readonly string[]) => {
    for (const key of keys) held.delete(key);
  };
  const keysOf = new Map<string, string[]>();
  const remember = (id: string, keys: readonly string[]) => keysOf.set(id, [...(keysOf.get(id) ?? []), ...keys]);

  return {
    choose: (files) =>
      files.map(({ file, path }) => {
        const key = crypto.randomUUID();
        held.set(key, { file, aside: false });
        return { key, path, name: file.name, sizeBytes: file.size };
      }),
    begin: (facts, files) => {
      const who = account();
      const keys = files.map(({ key }) => key);
      remember(facts.id, keys);
      if (who === null) return;
      void holds.take(facts.id);
      const entry = files.map((file) => ({ ...file, status: 'waiting' as const, failure: null }));
      putAside(facts.id, keys, kept.keep(who, facts, entry));
    },
    bringBack: (id, files) => {
      for (const [key, file] of files) held.set(key, { file, aside: false });
      const keys = [...files.keys()];
      remember(id, keys);
      putAside(
        id,
        keys,
        kept.settle(
          id,
          keys.map((key) => ({ key, status: 'waiting' as const })),
        ),
      );
    },
    filesOf: async (id, keys) => {
      const found = new Map<string, File>();
      for (const key of keys) {
        const one = held.get(key);
        if (one) found.set(key, one.file);
      }
      const missing = keys.filter((key) => !found.has(key));
      if (missing.length > 0) for (const [key, file] of await kept.bytesOf(id, missing)) found.set(key, file);
      return found;
    },
    settle: (id, changes) => {
      release(changes.filter(({ status }) => status === 'uploaded' || status === 'refused').map(({ key }) => key));
      void kept.settle(id, changes);
    },
    change: (id, changed) => void kept.change(id, changed),
    restore: async () => {
      const who = account();
      // What somebody else chose at this desk is nobody's business.
      if (who !== owner) held.clear();
      owner = who;
      isOpen = true;
      await leaving;
      if (who === null) return [];
      const all = await kept.restore(who);
      const free = await Promise.all(all.map(({ id }) => holds.take(id)));
      return all
        .filter((_, index) => free[index])
        .map((one) => {
          remember(
            one.id,
            one.files.map(({ key }) => key),
          );
          const files = one.files.map((file) =>
            file.status === 'lost' && held.has(file.key) ? { ...file, status: 'waiting' as const } : file,
          );
          return { ...one, files };
        });
    },
    forget: (id) => {
      release(keysOf.get(id) ?? []);
      keysOf.delete(id);
      void kept.forget(id).then(() => holds.letGo(id));
    },
    leave: () => {
      session += 1;
      isOpen = false;
      keysOf.clear();
      leaving = holds.letAllGo();
    },
    wouldLose: () => isOpen && [...held.values()].some(({ aside }) => !aside),
  };
};
