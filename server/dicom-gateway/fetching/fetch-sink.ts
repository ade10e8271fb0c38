import type { Kysely } from 'kysely';
import type { FetchOutcome } from '../../../contract/dicom-fetches.ts';
import type { Schema } from '../../db/schema.ts';
import { holdFetch, noteFetched } from '../../db/stores/dicom-fetch-work.ts';
import type { DicomFetchRow } from '../../db/stores/dicom-fetches.ts';
import { statuses } from '../../dimse/message/message.ts';
import { fileSink } from '../../dimse/provider/file-sink.ts';
import { type OpenSink, StoreRefused } from '../../dimse/provider/object-sink.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { FileStore } from '../../storage/file-store.ts';
import type { ListedStudy } from './study-fetch.ts';
import { takeFetched } from './take-fetched.ts';

interface FetchSink {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly maxObjectBytes: number;
  readonly filesPerImport: number;
  readonly fetch: DicomFetchRow;
  readonly owner: string;
  readonly study: ListedStudy;
  /** UIDs of the images that were asked for. */
  readonly asked: ReadonlySet<string>;
  /** Called once when the archive cannot store now: the fetch stops. */
  readonly onStop: (error: unknown) => void;
}

const refused = (status: number, reason: string): StoreRefused => new StoreRefused(status, reason);

/** Takes the objects of a study that a device sends (C-STORE within C-GET): durable bytes, then the row in its import and the outcome together. */
export const fetchSink = (options: FetchSink): OpenSink => {
  const { db, files, maxObjectBytes, filesPerImport, fetch, owner, asked, onStop } = options;
  const { patient_id, customer_id } = fetch;
  const study = { ...options.study, patient_id, customer_id };
  const note = (uid: string, outcome: FetchOutcome) => noteFetched(db, study, [uid], outcome);

  const store = fileSink({
    files,
    // Longer ones are refused below, with their reason.
    maxBytes: Number.MAX_SAFE_INTEGER,
    record: async ({ sopInstanceUid }, stored, { studyInstanceUid }) => {
      if (studyInstanceUid !== study.study_uid) {
        await note(sopInstanceUid, 'other-study');
        throw refused(statuses.dataSetDoesNotMatch, 'The object is of another study');
      }
      const hold: Parameters<typeof takeFetched>[0]['hold'] = (transaction) => holdFetch(transaction, fetch.id, owner);
      if (!(await takeFetched({ db, files, filesPerImport, study, hold }, sopInstanceUid, stored)))
        throw refused(statuses.outOfResources, 'The fetch was stopped');
    },
  });

  return async (object) => {
    const { sopInstanceUid: uid } = object;
    if (!asked.has(uid)) throw refused(statuses.dataSetDoesNotMatch, 'The object was not asked for');
    const sink = await store(object);
    let length = 0;

    /** What concerns one object is recorded; anything else stops the fetch. */
    const settling = async (work: Promise<void>): Promise<void> => {
      try {
        await work;
      } catch (error) {
        if (error instanceof ProblemError && error.code === 'too-many-files')
          throw refused(statuses.outOfResources, 'The import is full');
        if (!(error instanceof StoreRefused) || error.status === statuses.outOfResources) onStop(error);
        throw error;
      }
    };

    return {
      write: async (chunk) => {
        length += chunk.length;
        if (length > maxObjectBytes) {
          await note(uid, 'too-large');
          throw refused(statuses.outOfResources, 'The object is too large');
        }
        await settling(sink.write(chunk));
      },
      commit: (uids) => settling(sink.commit(uids)),
      discard: sink.discard,
    };
  };
};
