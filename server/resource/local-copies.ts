import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { referencedAmong } from '../db/stores/leftovers.ts';
import { type IntervalJob, startIntervalJob } from '../jobs/interval-job.ts';
import type { FilesHome } from '../storage/files-home.ts';
import type { DerivedCache } from './derived-cache.ts';

export interface LocalCopies {
  readonly db: Kysely<Schema>;
  readonly home: Pick<FilesHome, 'tidyCopies'>;
  readonly caches: readonly Pick<DerivedCache, 'removeUnnamed'>[];
  /** As the sweep keeps ended imports. */
  readonly keepMs: number;
}

const dayMs = 24 * 3_600_000;

/** Removes this node's copies and derived files of files that no row references, daily: another node may have destroyed their record. */
export const startTidyingCopies = (
  { db, home, caches, keepMs }: LocalCopies,
  onFailure: (error: unknown) => void,
): IntervalJob =>
  startIntervalJob(
    dayMs,
    async (signal) => {
      const named = (hashes: readonly string[]) => {
        signal.throwIfAborted();
        return referencedAmong(db, hashes, keepMs);
      };
      await home.tidyCopies(named);
      for (const cache of caches) await cache.removeUnnamed(named);
    },
    onFailure,
  );
