import type { Imaging } from '../../dicom/imaging.ts';
import { type FileStore, StorageError } from '../../storage/file-store.ts';
import { namedBy, type WrittenPatient } from './read-file.ts';

/** Returns the patients named in the headers of stored DICOM files, each once. Unreadable files name none. */
export const patientsNamedIn =
  (files: FileStore, imaging: Imaging) =>
  async (hashes: readonly string[]): Promise<WrittenPatient[]> => {
    const named = new Map<string, WrittenPatient>();
    for (const sha256 of hashes) {
      try {
        const patient = namedBy(await imaging.inspect({ path: await files.localPath(sha256), sha256 }));
        if (patient) named.set(JSON.stringify(patient), patient);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
      }
    }
    return [...named.values()];
  };
