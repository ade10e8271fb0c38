import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { clearFileErrors, type FileErrorKind, patientsOfFile, recordFileError } from '../db/stores/file-errors.ts';
import type { Hub } from '../hub/hub.ts';
import { StorageError } from '../storage/file-store.ts';

/** Records stored files that are damaged or missing. */
export interface FileErrors {
  /**
   * Runs `work`, which reads a stored file, and records the file as damaged or missing when it fails for that reason.
   * @throws what `work` throws; StorageError 'away' instead of 'missing' while the folder does not belong to this archive
   */
  watch<T>(sha256: string, work: () => Promise<T>): Promise<T>;
  /** Clears the errors of files that were stored again or verified, and removes their derived files, which are then generated again. */
  clear(hashes: readonly string[]): Promise<void>;
}

interface FileErrorParts {
  readonly db: Kysely<Schema>;
  readonly hub: Hub;
  /** Returns whether the files folder belongs to the database: in a foreign folder every file would be missing. */
  readonly isRightFolder: () => Promise<boolean>;
  /** Removes the derived files of a stored file. */
  readonly removeDerived: (sha256: string) => Promise<void>;
  /** Called when derived files were removed and wait to be generated again. */
  readonly onCleared: () => void;
  /** Reports an error to the log. */
  readonly onFailure: (error: unknown) => void;
}

const errorKindOf = (error: unknown): FileErrorKind | null =>
  error instanceof StorageError && (error.code === 'damaged' || error.code === 'missing') ? error.code : null;

export const createFileErrors = (parts: FileErrorParts): FileErrors => {
  const { db, hub, isRightFolder, removeDerived, onCleared, onFailure } = parts;

  /** Notifies clients, so that lists and viewers with the image reload it. */
  const announce = async (sha256: string): Promise<void> => {
    for (const { customer_id, patient_id } of await patientsOfFile(db, sha256))
      await hub.publish([`clinic:${customer_id}`], { name: 'PatientChanged', body: { patientId: patient_id } });
  };

  const record = async (sha256: string, error: StorageError, kind: FileErrorKind): Promise<void> => {
    if (!(await recordFileError(db, sha256, kind))) return;
    onFailure(error);
    await announce(sha256);
  };

  return {
    watch: async (sha256, work) => {
      try {
        return await work();
      } catch (error) {
        const kind = errorKindOf(error);
        if (kind === null) throw error;
        if (kind === 'missing' && !(await isRightFolder())) {
          throw new StorageError('away', 'The files folder is not that of this archive', error);
        }
        await record(sha256, error as StorageError, kind).catch(onFailure);
        throw error;
      }
    },
    clear: async (hashes) => {
      // The bytes are stored in any case; the background check visits these files again.
      try {
        const cleared = await clearFileErrors(db, hashes);
        for (const sha256 of cleared) {
          await removeDerived(sha256);
          await announce(sha256);
        }
        if (cleared.length > 0) onCleared();
      } catch (error) {
        onFailure(error);
      }
    },
  };
};
