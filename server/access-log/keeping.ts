import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { brokenSeals, removeAccessesBefore, sealAccesses } from '../db/stores/access-log-seals.ts';
import { type Rounds, startRounds } from '../rounds.ts';

export interface Keeping {
  readonly db: Kysely<Schema>;
  /** Entries are kept this long; the database itself gives none away before five years. */
  readonly years: number;
  /** For the log outside of the database: the newest seal. Whoever changes entries and seals afterwards cannot change it there. */
  readonly onSealed: (seal: { readonly id: number; readonly hash: string }) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Somebody changed entries after they were sealed. */
export class AlteredLog extends Error {
  override readonly name = 'AlteredLog';
  constructor(seals: readonly number[]) {
    super(`the access log is not what it was: seals ${seals.slice(0, 20).join(', ')} do not fit their entries`);
  }
}

const hourMs = 3_600_000;
const hoursOfRound = 24;

/** As in the trigger of migration 010. */
const fewestYears = 5;

const yearsBefore = (now: Date, years: number): Date => {
  const then = new Date(now);
  then.setUTCFullYear(then.getUTCFullYear() - years);
  return then;
};

/** Removes what is older than it must be, then holds what is left against its seals. @throws AlteredLog */
export const tidyAccessLog = async (
  { db, years }: Pick<Keeping, 'db' | 'years'>,
  signal: AbortSignal = new AbortController().signal,
  now: Date = new Date(),
): Promise<number> => {
  const removed = await removeAccessesBefore(db, yearsBefore(now, years), signal);
  // They may have been removed while the time was set shorter.
  const broken = await brokenSeals(db, yearsBefore(now, fewestYears), signal);
  if (broken.length > 0) throw new AlteredLog(broken);
  return removed;
};

/** Seals the access log now and every hour, tidies it once a day. */
export const startKeepingLog = (keeping: Keeping): Rounds => {
  const { db, onSealed, onFailure } = keeping;
  let rounds = 0;
  let told = 0;
  const round = async (signal: AbortSignal) => {
    const seal = await sealAccesses(db, signal);
    if (seal && seal.id !== told) {
      told = seal.id;
      onSealed(seal);
    }
    if (rounds++ % hoursOfRound === 0) await tidyAccessLog(keeping, signal);
  };
  return startRounds(hourMs, round, onFailure);
};
