import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { findBySopInstances } from '../db/stores/images.ts';
import type { FileStore } from '../storage/file-store.ts';
import { dataSetHash } from './data-set-of.ts';

type KnownImage = Awaited<ReturnType<typeof findBySopInstances>>[number];

interface StoredObject {
  readonly customerId: string;
  readonly sopInstanceUid: string;
  readonly sha256: string;
}

/** Returns whether an image of the clinic that counts and is not deleted has the same data set, whatever its file meta information says. */
export const hasObject = async (
  { db, files }: { readonly db: Kysely<Schema>; readonly files: FileStore },
  { customerId, sopInstanceUid, sha256 }: StoredObject,
  counts: (image: KnownImage) => boolean,
): Promise<boolean> => {
  const known = await findBySopInstances(db, customerId, [sopInstanceUid]);
  for (const row of known.filter((one) => !one.is_binned && counts(one)))
    if (row.sha256 === sha256 || (await dataSetHash(files, row.sha256)) === (await dataSetHash(files, sha256)))
      return true;
  return false;
};
