import type { ImportTaskRow } from '../../db/stores/imports.ts';
import { isMissingBytes, StorageError } from '../../storage/file-store.ts';
import type { Reading } from '../read/read-file.ts';

type Grace = Pick<Reading, 'missingGraceMs'>;
type Step = Pick<ImportTaskRow, 'updated_at'>;

/**
 * Returns whether a step still waits for bytes missing from the store: another node may just have written them, or they are being restored.
 * After that the file is refused as `storage-failed`, which a user can retry.
 */
export const isWithinGrace = ({ missingGraceMs = 0 }: Grace, { updated_at: begun }: Step): boolean =>
  Date.now() - begun.getTime() < missingGraceMs;

export const waitsForBytes = (grace: Grace, step: Step, error: unknown): boolean =>
  isMissingBytes(error) && isWithinGrace(grace, step);

/** Error that ends an attempt; the task is resumed when its lease has expired. */
export const missingBytes = (files: number): StorageError =>
  new StorageError('missing', `The store does not hold the bytes of ${files} files of an import yet`);
