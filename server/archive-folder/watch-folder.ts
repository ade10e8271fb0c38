import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { type IntervalJob, startIntervalJob } from '../jobs/interval-job.ts';
import type { FilesRoot } from '../storage/files-home.ts';
import { homeOf } from '../storage/home-of.ts';
import type { FolderProblem } from './compare-folder.ts';
import { advanceGeneration, FolderUnavailable, matchFolder } from './open-folder.ts';

export interface FolderWatch {
  /** False while the folder is absent, unreadable or a different one; no work may start then. */
  isAvailable(): boolean;
  /** Since when and why the folder is unavailable; null while it is available. */
  problem(): { readonly kind: FolderProblem; readonly since: Date } | null;
  readonly isBucket: boolean;
  /** Since when the object store has no space for new files; null while it has, and for a folder. */
  fullSince(): Date | null;
  /** Reports stored files; the counters are advanced shortly after. */
  stored(hashes: readonly string[]): void;
  /** Checks now and returns whether the folder is available. */
  check(): Promise<boolean>;
  /** Advances the counters for files stored so far, then stops. */
  close(): Promise<void>;
}

export interface FolderWatchOptions {
  readonly db: Kysely<Schema>;
  readonly root: FilesRoot;
  readonly onFailure: (error: unknown) => void;
  /** Called when the folder becomes available again. */
  readonly onAvailable: () => void;
  /** Called with the hashes of files stored since the last call. */
  readonly onStored: (hashes: readonly string[]) => Promise<void>;
  readonly everyMs?: number;
  /** Delay between storing a file and advancing the counters, so that one step covers many files. */
  readonly countAfterMs?: number;
}

/** Compares folder and database regularly while the server runs, and advances their counters after files were stored. */
export const watchFolder = (options: FolderWatchOptions): FolderWatch => {
  const { db, root, onFailure, onAvailable, onStored, everyMs = 5_000, countAfterMs = 1_000 } = options;
  const home = homeOf(root);
  let problem: { readonly kind: FolderProblem; readonly since: Date } | null = null;
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let counting: Promise<void> = Promise.resolve();
  let closing = false;

  const noteProblem = (kind: FolderProblem): void => {
    if (problem?.kind === kind) return;
    problem = { kind, since: problem?.since ?? new Date() };
    onFailure(new FolderUnavailable(kind, root));
  };

  const noteAvailable = (): void => {
    if (problem === null) return;
    problem = null;
    onAvailable();
  };

  const count = async (): Promise<void> => {
    const hashes = [...waiting];
    if (hashes.length === 0) return;
    waiting = new Set();
    try {
      await advanceGeneration(db, root);
      await onStored(hashes);
    } catch (error) {
      for (const sha256 of hashes) waiting.add(sha256);
      if (error instanceof FolderUnavailable) noteProblem(error.problem);
      else onFailure(error);
      countLater(everyMs);
    }
  };

  const countSoon = (): void => {
    timer = null;
    counting = counting.then(count);
  };
  const countLater = (delayMs: number): void => {
    if (!closing) timer ??= setTimeout(countSoon, delayMs).unref();
  };

  const compareNow = async (): Promise<boolean> => {
    const match = await matchFolder(db, root);
    if (match.kind === 'database-older') await advanceGeneration(db, root);
    if (match.kind === 'unclaimed') noteProblem('unmarked');
    else if (match.kind === 'same' || match.kind === 'database-older') noteAvailable();
    else noteProblem(match.kind);
    return problem === null;
  };
  const job: IntervalJob = startIntervalJob(everyMs, compareNow, onFailure);

  return {
    isAvailable: () => problem === null,
    problem: () => problem,
    isBucket: home.kind === 'bucket',
    fullSince: home.fullSince,
    check: compareNow,
    stored: (hashes) => {
      for (const sha256 of hashes) waiting.add(sha256);
      countLater(countAfterMs);
    },
    close: async () => {
      closing = true;
      await job.close();
      if (timer) clearTimeout(timer);
      counting = counting.then(count);
      await counting;
    },
  };
};
