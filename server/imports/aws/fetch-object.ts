import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import { noteWaiting, setBytesOfFile } from '../../db/stores/awaited-files.ts';
import type { ImportFileRow } from '../../db/stores/imports.ts';
import { type FileStore, StorageFault, type StoredFile } from '../../storage/file-store.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { ObjectStoreFault } from '../../storage/object-store-fault.ts';
import { RefusedFile } from '../read/refused-file.ts';
import { sizeLimitOf } from '../receive/size-limit.ts';
import { objectKey } from './object-key.ts';

export interface Fetching {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly store: ObjectStore;
  readonly limits: Pick<ImportLimits, 'fileBytes' | 'zipBytes'>;
  /** An object is not needed any more. */
  readonly onFetched: () => void;
}

/**
 * Brings the bytes of a file from the object store into the store of files, piece by piece, and commits its SHA-256 to its row; only then may
 * its object go. A row that has its bytes already is left as it is: doing it again, or twice at once, does no harm.
 * @throws RefusedFile when the object is not there or is not what was announced; ObjectStoreFault when the store is away (nothing is lost:
 * try again); StorageFault; the reason of `signal`
 */
export type FetchFromObjectStore = (row: ImportFileRow, signal: AbortSignal) => Promise<StoredFile>;

const bytesNow = async (db: Kysely<Schema>, id: string): Promise<StoredFile | null> => {
  const now = await db
    .selectFrom('import_file')
    .select(['sha256', 'size_bytes'])
    .where('id', '=', id)
    .executeTakeFirst();
  return now?.sha256 ? { sha256: now.sha256, sizeBytes: now.size_bytes } : null;
};

export const createFetch = ({ db, files, store, limits, onFetched }: Fetching): FetchFromObjectStore => {
  const bring = async (row: ImportFileRow, signal: AbortSignal): Promise<StoredFile | null> => {
    if (row.aws_name === null) throw new RefusedFile('storage-failed', 'it was never in the object store');
    const source = await store.read(objectKey(row.task_id, row.aws_name), signal);
    if (!source) return null;
    const most = sizeLimitOf(limits, row.path);
    try {
      const stored = await files.put(source, Math.min(row.size_bytes, most));
      if (stored.sizeBytes === row.size_bytes) return stored;
    } catch (error) {
      if (!(error instanceof StorageFault) || error.code !== 'too-large') throw error;
      if (row.size_bytes > most) throw new RefusedFile('too-large', `it has more than ${most} bytes`);
    }
    throw new RefusedFile('storage-failed', 'the object store holds another number of bytes than was sent');
  };

  return async (row, signal) => {
    const held = await bytesNow(db, row.id);
    if (held) return held;
    try {
      const stored = await bring(row, signal);
      if (stored) await setBytesOfFile(db, row, stored);
      const now = stored ?? (await bytesNow(db, row.id));
      if (!now) throw new RefusedFile('storage-failed', 'its bytes are not in the object store any more');
      onFetched();
      return now;
    } catch (error) {
      if (error instanceof ObjectStoreFault) await noteWaiting(db, row.id, 'waits for the object store');
      throw error;
    }
  };
};
