import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import type { ImportFileRow, ImportTaskRow } from '../../db/stores/imports.ts';
import type { FileStore } from '../../storage/file-store.ts';

export interface Unpacking {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly limits: ImportLimits;
}

/** Told after each entry that has its row: how many of how many. */
export type OnEntry = (done: number, total: number) => Promise<void>;

/**
 * Unpacks a received zip: a row for each entry (`received` with its bytes in the store, or refused with its problem), then the zip's own row
 * (`unpacked`, or refused with the fault). Entries that have a row are not unpacked again, so that it goes on where it was stopped.
 * @throws the reason of `signal`, and what has nothing to do with the zip, such as a database that is away
 */
export const unpackZip = async (
  _deps: Unpacking,
  _task: ImportTaskRow,
  _row: ImportFileRow,
  _signal: AbortSignal,
  _onEntry: OnEntry,
): Promise<void> => {
  throw new Error('zips are not unpacked yet');
};
