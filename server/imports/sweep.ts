import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { namedAmong, removeEndedTasks, uploadingAmong } from '../db/stores/leftovers.ts';
import { type Rounds, startRounds } from '../rounds.ts';
import type { PartDrafts } from '../storage/part-drafts.ts';
import { sweepStore } from '../storage/sweep-store.ts';
import type { ImportKeeping } from './import-settings.ts';
import { isSameArchive } from './same-archive.ts';

export interface Sweep {
  readonly db: Kysely<Schema>;
  /** Where the disk store keeps its files. */
  readonly root: string;
  readonly drafts: PartDrafts;
  readonly keeping: ImportKeeping;
}

/** The folder of files belongs to another database than this one. For the log: whoever set up the server must know. */
export class ForeignFiles extends Error {
  override readonly name = 'ForeignFiles';
  constructor() {
    super('the files folder belongs to another database: nothing is swept');
  }
}

export interface Swept {
  readonly tasks: number;
  readonly drafts: number;
  readonly files: number;
}

/**
 * Removes what imports left behind: ended imports from the ledger, drafts of large files whose import takes no more, and stored files that no row names.
 * In this order, so that what the first leaves the last may find. May run at any time, and on several nodes at once.
 * @throws ForeignFiles before anything is touched; what stops it: the signal, a database that is away; it is simply done again
 */
export const sweepOrphans = async (
  { db, root, drafts, keeping }: Sweep,
  signal: AbortSignal = new AbortController().signal,
): Promise<Swept> => {
  if (!(await isSameArchive(db, root))) throw new ForeignFiles();
  const tasks = await removeEndedTasks(db, keeping.keepMs);
  const begun = await drafts.all();
  const uploading = await uploadingAmong(db, [...new Set(begun.map((draft) => draft.taskId))]);
  const left = begun.filter((draft) => !uploading.has(draft.taskId));
  for (const draft of left) {
    signal.throwIfAborted();
    await drafts.remove(draft);
  }
  const files = await sweepStore({
    ...{ root, signal, orphanMs: keeping.orphanMs },
    namedAmong: (hashes) => namedAmong(db, hashes, keeping.keepMs),
  });
  return { tasks, drafts: left.length, files };
};

const dayMs = 24 * 60 * 60 * 1000;

/** Sweeps now and once a day. */
export const startSweeping = (sweep: Sweep, onFailure: (error: unknown) => void): Rounds =>
  startRounds(dayMs, (signal) => sweepOrphans(sweep, signal), onFailure);
