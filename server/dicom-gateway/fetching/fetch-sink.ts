import type { Kysely } from 'kysely';
import type { FetchOutcome } from '../../../contract/dicom-fetches.ts';
import type { Schema } from '../../db/schema.ts';
import { type FetchStudyRow, holdFetch, noteFetched } from '../../db/stores/dicom-fetch-work.ts';
import type { DicomFetchRow } from '../../db/stores/dicom-fetches.ts';
import { statuses } from '../../dimse/message/message.ts';
import { fileSink } from '../../dimse/provider/file-sink.ts';
import { type OpenSink, StoreRefused } from '../../dimse/provider/object-sink.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { insertFiles } from '../../imports/receive/insert-files.ts';
import { safeFileName } from '../../imports/receive/safe-path.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { hasObject } from '../has-object.ts';

interface FetchSink {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly maxObjectBytes: number;
  readonly filesPerImport: number;
  readonly fetch: DicomFetchRow;
  readonly owner: string;
  readonly study: FetchStudyRow;
  /** UIDs of the images that were asked for. */
  readonly asked: ReadonlySet<string>;
  /** Called once when the archive cannot store now: the fetch stops. */
  readonly onStop: (error: unknown) => void;
}

const refused = (status: number, reason: string): StoreRefused => new StoreRefused(status, reason);

/** Takes the objects of a study that a device sends (C-STORE within C-GET): durable bytes, then the row in its import and the outcome together. */
export const fetchSink = (options: FetchSink): OpenSink => {
  const { db, files, maxObjectBytes, filesPerImport, fetch, owner, study, asked, onStop } = options;
  const note = (uid: string, outcome: FetchOutcome) => noteFetched(db, study, [uid], outcome);

  const isKnown = (sopInstanceUid: string, sha256: string): Promise<boolean> =>
    hasObject(
      { db, files },
      { customerId: fetch.customer_id, sopInstanceUid, sha256 },
      (image) => image.patient_id === fetch.patient_id,
    );

  const store = fileSink({
    files,
    // Longer ones are refused below, with their reason.
    maxBytes: Number.MAX_SAFE_INTEGER,
    record: async ({ sopInstanceUid }, stored, { studyInstanceUid }) => {
      if (studyInstanceUid !== study.study_uid) {
        await note(sopInstanceUid, 'other-study');
        throw refused(statuses.dataSetDoesNotMatch, 'The object is of another study');
      }
      if (await isKnown(sopInstanceUid, stored.sha256)) return note(sopInstanceUid, 'known');
      const name = safeFileName(`${sopInstanceUid}.dcm`);
      await db.transaction().execute(async (transaction) => {
        if (!study.task_id || !(await holdFetch(transaction, fetch.id, owner)))
          throw refused(statuses.outOfResources, 'The fetch was stopped');
        await insertFiles(transaction, study.task_id, [{ ...stored, fileName: name, path: name }], filesPerImport);
        await noteFetched(transaction, study, [sopInstanceUid], 'fetched');
      });
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
        if (error instanceof ProblemError && error.code === 'too-many-files') {
          await note(uid, 'too-many');
          throw refused(statuses.outOfResources, 'The import is full');
        }
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
