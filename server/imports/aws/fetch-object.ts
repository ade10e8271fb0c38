import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import { bytesOfFile, noteWaiting, setBytesOfFile } from '../../db/stores/awaited-files.ts';
import type { ImportFileRow } from '../../db/stores/imports.ts';
import { type FileStore, StorageError, type StoredFile } from '../../storage/file-store.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { ObjectStoreError } from '../../storage/object-store-error.ts';
import { FileError } from '../read/file-error.ts';
import { sizeLimitOf } from '../receive/size-limit.ts';
import { objectKey } from './object-key.ts';

export interface Fetching {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly store: ObjectStore;
  readonly limits: Pick<ImportLimits, 'fileBytes' | 'zipBytes'>;
  /** Called when an object is no longer needed. */
  readonly onFetched: () => void;
}

/**
 * Copies a file from the object store into the file store and commits its SHA-256 to its row; only then may the object be removed. Idempotent
 * and safe to run twice at once.
 * @throws FileError when the object is missing or differs from what was announced; ObjectStoreError when the store is unavailable (retry);
 * StorageError; the reason of `signal`
 */
export type FetchFromObjectStore = (row: ImportFileRow, signal: AbortSignal) => Promise<StoredFile>;

export const createFetch = ({ db, files, store, limits, onFetched }: Fetching): FetchFromObjectStore => {
  const bring = async (row: ImportFileRow, signal: AbortSignal): Promise<StoredFile | null> => {
    if (row.aws_name === null) throw new FileError('storage-failed', 'it was never in the object store');
    const source = await store.read(objectKey(row.task_id, row.aws_name), signal);
    if (!source) return null;
    const maxBytes = sizeLimitOf(limits, row.path);
    try {
      const stored = await files.put(source, Math.min(row.size_bytes, maxBytes));
      if (stored.sizeBytes === row.size_bytes) return stored;
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'too-large') throw error;
      if (row.size_bytes > maxBytes) throw new FileError('too-large', `it has more than ${maxBytes} bytes`);
    }
    throw new FileError('storage-failed', 'the object store holds another number of bytes than was sent');
  };

  return async (row, signal) => {
    const held = await bytesOfFile(db, row.id);
    if (held) return held;
    try {
      const stored = await bring(row, signal);
      if (stored) await setBytesOfFile(db, row, stored);
      const now = stored ?? (await bytesOfFile(db, row.id));
      if (!now) throw new FileError('storage-failed', 'its bytes are not in the object store any more');
      onFetched();
      return now;
    } catch (error) {
      if (error instanceof ObjectStoreError) await noteWaiting(db, row.id, 'waits for the object store');
      throw error;
    }
  };
};
