import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { type Access, insertAccesses } from '../db/stores/access-log.ts';

export { patientLog } from './patient-log.ts';

export interface AccessLog {
  /** Resolves when the entries are committed; replies with patient data wait for it. Rejects when they could not be written. */
  note(...accesses: readonly Omit<Access, 'at'>[]): Promise<void>;
}

interface Waiting {
  readonly accesses: readonly Access[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Rows per statement: PostgreSQL takes at most 65,535 parameters. */
const maxRows = 5_000;

/**
 * Creates the append-only log of access to patient data. Entries that arrive during a commit are batched into the next one, so a busy server needs
 * one commit for many reads and an idle one writes at once.
 */
export const createAccessLog = (db: Kysely<Schema>): AccessLog => {
  const queue: Waiting[] = [];
  let writing = false;

  const takeBatch = (): Waiting[] => {
    let rows = 0;
    const end = queue.findIndex((waiting) => {
      rows += waiting.accesses.length;
      return rows > maxRows;
    });
    return queue.splice(0, end < 1 ? (end === 0 ? 1 : queue.length) : end);
  };

  const writeQueue = async () => {
    if (writing) return;
    writing = true;
    while (queue.length > 0) {
      const batch = takeBatch();
      try {
        await insertAccesses(
          db,
          batch.flatMap((waiting) => waiting.accesses),
        );
        for (const waiting of batch) waiting.done();
      } catch (error) {
        for (const waiting of batch) waiting.failed(error);
      }
    }
    writing = false;
  };

  const note = (...entries: readonly Omit<Access, 'at'>[]) =>
    new Promise<void>((resolve, reject) => {
      if (entries.length === 0) return resolve();
      const at = new Date();
      queue.push({ accesses: entries.map((entry) => ({ ...entry, at })), done: resolve, failed: reject });
      void writeQueue();
    });

  return { note };
};
