import type { Kysely } from 'kysely';
import { FolderUnavailable, matchFolder } from '../archive-folder/open-folder.ts';
import type { Schema } from '../db/schema.ts';
import { clearOlder, noteQuarantined, noteUnnamed, readArchiveFiles } from '../db/stores/archive-files.ts';
import { awaitingDestruction } from '../db/stores/destruction-orders.ts';
import { referencedAmong, removeEndedTasks, uploadingAmong } from '../db/stores/leftovers.ts';
import { type IntervalJob, startIntervalJob } from '../jobs/interval-job.ts';
import { program } from '../program-name.ts';
import type { FilesRoot } from '../storage/files-home.ts';
import { homeOf } from '../storage/home-of.ts';
import type { PartDrafts } from '../storage/part-drafts.ts';
import { dayBefore } from '../storage/quarantine-days.ts';
import { sweepStore } from '../storage/sweep-store.ts';
import type { ImportRetention } from './import-settings.ts';

export interface Sweep {
  readonly db: Kysely<Schema>;
  /** The files of the archive. */
  readonly root: FilesRoot;
  readonly drafts: PartDrafts;
  readonly retention: ImportRetention;
}

/** Thrown when the database is an older copy than the files: unreferenced files may be images imported later. */
export class DatabaseOlder extends Error {
  override readonly name = 'DatabaseOlder';
  constructor() {
    super(`the database is older than the files folder: nothing is swept until "${program} quarantine" has decided`);
  }
}

/** Result of a sweep: files and bytes moved into quarantine, and the contents of the quarantine. */
export interface Swept {
  readonly tasks: number;
  readonly drafts: number;
  readonly files: number;
  readonly bytes: number;
  /** Removed from quarantine for good, and restored because a row references them. */
  readonly removed: number;
  readonly restored: number;
  readonly quarantined: number;
  /** Unreferenced files left in place because the database is older than the folder. */
  readonly unnamed: number;
}

const nothing: Swept = {
  tasks: 0,
  drafts: 0,
  files: 0,
  bytes: 0,
  removed: 0,
  restored: 0,
  quarantined: 0,
  unnamed: 0,
};

/** @throws FolderUnavailable, DatabaseOlder when nothing may be moved or removed */
const ensureSweepable = async (db: Kysely<Schema>, root: FilesRoot): Promise<void> => {
  const match = await matchFolder(db, root);
  if (match.kind === 'database-older') throw new DatabaseOlder();
  if (match.kind !== 'same') throw new FolderUnavailable(match.kind === 'unclaimed' ? 'unmarked' : match.kind, root);
  if ((await readArchiveFiles(db)).older_since !== null) throw new DatabaseOlder();
};

/** Counts the files that an older database does not reference; moves nothing. */
const countUnnamed = async ({ db, root, retention }: Sweep, signal: AbortSignal): Promise<Swept> => {
  let [files, bytes] = [0, 0];
  const named = (hashes: readonly string[]) => {
    signal.throwIfAborted();
    return referencedAmong(db, hashes, retention.keepMs);
  };
  for await (const some of homeOf(root).unnamedFiles({ signal, orphanMs: -1, referencedAmong: named })) {
    files += some.length;
    for (const { sizeBytes } of some) bytes += sizeBytes;
  }
  // All files are referenced: the newer database was restored, or all files were adopted.
  if (files === 0) await clearOlder(db);
  else await noteUnnamed(db, { files, bytes });
  return { ...nothing, unnamed: files };
};

const removeLeftovers = async (sweep: Sweep, signal: AbortSignal): Promise<Swept> => {
  const { db, root, drafts, retention } = sweep;
  const tasks = await removeEndedTasks(db, retention.keepMs);
  const begun = await drafts.all();
  const uploading = await uploadingAmong(db, [...new Set(begun.map((draft) => draft.taskId))]);
  const left = begun.filter((draft) => !uploading.has(draft.taskId));
  for (const draft of left) {
    signal.throwIfAborted();
    await drafts.remove(draft);
  }
  const named = (hashes: readonly string[]) => referencedAmong(db, hashes, retention.keepMs);
  // A copy in quarantine would outlive the destruction of its file.
  const staying = async (hashes: readonly string[]) =>
    new Set([...(await named(hashes)), ...(await awaitingDestruction(db, hashes))]);
  const ensureSafe = () => ensureSweepable(db, root);
  const { files, bytes } = await sweepStore({
    root,
    signal,
    orphanMs: retention.orphanMs,
    referencedAmong: staying,
    ensureSafe,
  });
  await ensureSafe();
  const removeBefore = dayBefore(retention.quarantineDays);
  const tidied = await homeOf(root).tidyQuarantine({ removeBefore, referencedAmong: named, signal });
  await noteQuarantined(db, tidied);
  await homeOf(root).removeLeftovers(named);
  const { removed, restored, files: quarantined } = tidied;
  return { tasks, drafts: left.length, files, bytes, removed, restored, quarantined, unnamed: 0 };
};

/**
 * Removes what imports left behind: expired imports, then drafts of imports that take no more parts, then unreferenced files, which go into
 * quarantine. The order lets each step find what the previous one released. Safe to run at any time and on several nodes. With a database
 * older than the folder it only counts.
 * @throws FolderUnavailable before anything is touched; the signal's reason; database errors: it can simply be repeated
 */
export const sweepOrphans = async (
  sweep: Sweep,
  signal: AbortSignal = new AbortController().signal,
): Promise<Swept> => {
  try {
    await ensureSweepable(sweep.db, sweep.root);
    return await removeLeftovers(sweep, signal);
  } catch (error) {
    if (error instanceof DatabaseOlder) return countUnnamed(sweep, signal);
    throw error;
  }
};

const dayMs = 24 * 60 * 60 * 1000;

export interface SweepReports {
  readonly onFailure: (error: unknown) => void;
  /** Called after each sweep, for the log. */
  readonly onSwept: (swept: Swept) => void;
}

/** Sweeps now and then daily. */
export const startSweeping = (sweep: Sweep, { onFailure, onSwept }: SweepReports): IntervalJob =>
  startIntervalJob(dayMs, async (signal) => onSwept(await sweepOrphans(sweep, signal)), onFailure);
