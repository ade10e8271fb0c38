import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import {
  removeAccessesBefore,
  type Seal,
  type SealFaults,
  sealAccesses,
  sealFaults,
} from '../db/stores/access-log-seals.ts';
import type { NamedKey } from '../domain/named-key.ts';
import { type IntervalJob, startIntervalJob } from '../jobs/interval-job.ts';

export interface RetentionOptions {
  readonly db: Kysely<Schema>;
  /** `sealKey` of the installation. */
  readonly key: NamedKey;
  /** Entries are retained this long; the database itself refuses to delete entries younger than five years. */
  readonly years: number;
  /** Reports the newest seal to a log outside the database, so that entries and seals cannot both be rewritten unnoticed. */
  readonly onSealed: (seal: Seal) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Thrown when entries were changed after they were sealed. */
export class AlteredLog extends Error {
  override readonly name = 'AlteredLog';
  constructor(seals: readonly number[]) {
    super(`the access log was altered: seals ${seals.slice(0, 20).join(', ')} do not match their entries`);
  }
}

const hourMs = 3_600_000;
const pruneEveryHours = 24;

/** Same value as in the trigger of migration 010. */
const minimumYears = 5;

const yearsBefore = (now: Date, years: number): Date => {
  const then = new Date(now);
  then.setUTCFullYear(then.getUTCFullYear() - years);
  return then;
};

/** Compares the seals with their entries. Older entries may be missing: a shorter retention may have been configured earlier. */
export const logSealFaults = (
  db: Kysely<Schema>,
  key: NamedKey | null,
  signal: AbortSignal = new AbortController().signal,
  now: Date = new Date(),
): Promise<SealFaults> => sealFaults(db, key, yearsBefore(now, minimumYears), signal);

/** Deletes entries past their retention and verifies the seals of the rest. Returns the number deleted. @throws AlteredLog */
export const pruneAccessLog = async (
  { db, key, years }: Pick<RetentionOptions, 'db' | 'key' | 'years'>,
  signal: AbortSignal = new AbortController().signal,
  now: Date = new Date(),
): Promise<number> => {
  const removed = await removeAccessesBefore(db, yearsBefore(now, years), signal);
  const { broken } = await logSealFaults(db, key, signal, now);
  if (broken.length > 0) throw new AlteredLog(broken);
  return removed;
};

/** Seals the access log now and every hour, and prunes it once a day. */
export const startLogRetention = (options: RetentionOptions): IntervalJob => {
  const { db, key, onSealed, onFailure } = options;
  let runs = 0;
  let reportedSeal = 0;
  const run = async (signal: AbortSignal) => {
    const seal = await sealAccesses(db, key, signal);
    if (seal && seal.id !== reportedSeal) {
      reportedSeal = seal.id;
      onSealed(seal);
    }
    if (runs++ % pruneEveryHours === 0) await pruneAccessLog(options, signal);
  };
  return startIntervalJob(hourMs, run, onFailure);
};
