import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { DicomDeviceRow } from '../../db/stores/dicom-devices.ts';
import {
  hasMoved,
  holdOpenFetch,
  isAskedByMove,
  noteNoSpace,
  noteTooLarge,
  studyAskingFor,
} from '../../db/stores/dicom-moves.ts';
import { statuses } from '../../dimse/message/message.ts';
import { type ObjectSink, StoreRefused } from '../../dimse/provider/object-sink.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { FileStore, StoredFile } from '../../storage/file-store.ts';
import { takeFetched } from './take-fetched.ts';

interface MovedDependencies {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly maxObjectBytes: number;
  readonly filesPerImport: number;
}

interface Uids {
  readonly studyInstanceUid: string | null;
  readonly sopInstanceUid: string;
}

/** The objects that a device sends because a fetch has asked for them (C-MOVE): they go into the import of the fetch. */
export const movedObjects = (
  { db, files, maxObjectBytes, filesPerImport }: MovedDependencies,
  { id: deviceId }: DicomDeviceRow,
) => {
  /** Records why the object was not stored: the fetch says so. */
  const noting = async (sopInstanceUid: string, work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (error instanceof StoreRefused && error.status === statuses.outOfResources)
        // The answer to the device counts; the database may be what is missing.
        await noteNoSpace(db, { deviceId, sopInstanceUid }).catch(() => undefined);
      throw error;
    }
  };

  return {
    /** Whether a fetch has asked the device for an object of this UID. */
    isAsked: (sopInstanceUid: string): Promise<boolean> => isAskedByMove(db, { deviceId, sopInstanceUid }),

    /** Takes a durable object into the import of the fetch that has asked for it. False when none has, or not in this study. */
    take: async ({ studyInstanceUid, sopInstanceUid }: Uids, stored: StoredFile): Promise<boolean> => {
      const study = await studyAskingFor(db, { deviceId, sopInstanceUid }, studyInstanceUid ?? '');
      if (!study) return false;
      if (study.outcome === 'fetched') return hasMoved(db, study, stored.sha256);
      const hold: Parameters<typeof takeFetched>[0]['hold'] = (transaction) =>
        holdOpenFetch(transaction, study.fetch_id);
      try {
        return await takeFetched({ db, files, filesPerImport, study, hold }, sopInstanceUid, stored);
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        throw new StoreRefused(statuses.cannotUnderstand, 'The import takes no more images');
      }
    },

    /** The sink of an object that a fetch has asked for. */
    watched: (sopInstanceUid: string, sink: ObjectSink): ObjectSink => {
      let length = 0;
      return {
        write: async (chunk) => {
          length += chunk.length;
          if (length > maxObjectBytes) {
            await noteTooLarge(db, { deviceId, sopInstanceUid });
            throw new StoreRefused(statuses.outOfResources, 'The object is too large');
          }
          await noting(sopInstanceUid, sink.write(chunk));
        },
        commit: (uids) => noting(sopInstanceUid, sink.commit(uids)),
        discard: sink.discard,
      };
    },
  };
};
