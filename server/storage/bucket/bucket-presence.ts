import { type StorageError, StorageError as StoreError } from '../file-store.ts';
import { idName } from '../folder-id.ts';
import { ObjectStoreError } from '../object-store-error.ts';
import { asStorageError } from '../storage-error.ts';
import type { Bucket } from './bucket.ts';

/** Checks whether the bucket is still the one that a store was opened on. */
export interface BucketPresence {
  /** @throws StorageError 'away' when the bucket is gone, denied or replaced */
  ensureHere(): Promise<void>;
  /** Returns 'away' or 'full' for an error of the object store, else as `asStorageError`. */
  errorOf(error: unknown): unknown;
}

const ofStore = (error: ObjectStoreError): StorageError =>
  new StoreError(error.problem === 'full' ? 'full' : 'away', error.message, error);

/** @param cacheFolder named in errors of the local disk */
export const openBucketPresence = async (
  bucket: Bucket,
  isAway: () => boolean,
  cacheFolder: string,
): Promise<BucketPresence> => {
  const errorOf = (error: unknown): unknown =>
    error instanceof ObjectStoreError ? ofStore(error) : asStorageError(error, cacheFolder);
  const readId = () =>
    bucket.readText(idName).catch((error: unknown) => {
      throw errorOf(error);
    });
  const opened = await readId();
  return {
    errorOf,
    ensureHere: async () => {
      if (isAway() || (await readId()) !== opened)
        throw new StoreError('away', `The bucket ${bucket.name} is not there, or is another one`);
    },
  };
};
