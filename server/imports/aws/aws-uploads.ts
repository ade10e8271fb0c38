import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { type ObjectStore, openObjectStore } from '../../storage/object-store.ts';
import type { ObjectStoreConfig } from '../../storage/object-store-config.ts';
import { createFetch, type FetchFromObjectStore } from './fetch-object.ts';
import { startObjectSweep } from './sweep-objects.ts';

export interface AwsUploads {
  /** Null without a configured object store. */
  readonly store: ObjectStore | null;
  /** Null without a configured object store. */
  readonly fetchFromObjectStore: FetchFromObjectStore | null;
  close(): Promise<void>;
}

export interface AwsUploadsOptions {
  readonly config: ObjectStoreConfig | null;
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly limits: Pick<ImportLimits, 'fileBytes' | 'zipBytes'>;
  /** Called after the bytes of a file were copied to the archive. */
  readonly onFetched?: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Opens the object store and starts the sweep that removes objects no longer needed. Opens nothing when `config` is null. */
export const openAwsUploads = async (options: AwsUploadsOptions): Promise<AwsUploads> => {
  const { config, db, files, limits, onFailure } = options;
  if (!config) return { store: null, fetchFromObjectStore: null, close: async () => undefined };
  const store = await openObjectStore(config);
  const sweep = startObjectSweep({ db, store, onFailure });
  return {
    store,
    fetchFromObjectStore: createFetch({
      db,
      files,
      store,
      limits,
      onFetched: () => {
        sweep.wake();
        options.onFetched?.();
      },
    }),
    close: async () => {
      await sweep.close();
      store.close();
    },
  };
};
