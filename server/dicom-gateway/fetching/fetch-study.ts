import type { Kysely } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import { tags } from '../../../dicom/tags.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import type { Schema } from '../../db/schema.ts';
import { insertAccesses } from '../../db/stores/access-log.ts';
import {
  type FetchImageRow,
  type FetchStudyRow,
  holdFetch,
  listImages,
  noteFetched,
  noteStudyOutcome,
  outcomesOf,
  unfetchedImages,
} from '../../db/stores/dicom-fetch-work.ts';
import type { DicomFetchRow } from '../../db/stores/dicom-fetches.ts';
import { advance, lockTask, withdrawTask } from '../../db/stores/imports.ts';
import type { Association } from '../../dimse/association/association.ts';
import { isStored, statuses } from '../../dimse/message/message.ts';
import type { ProposedContext, RoleSelection } from '../../dimse/pdu/associate.ts';
import { isStorageClass } from '../../dimse/provider/supported-syntaxes.ts';
import { QueryFailed } from '../../dimse/user/find.ts';
import { createRetrievals, getProposal } from '../../dimse/user/get.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { fetchSink } from './fetch-sink.ts';
import { findContexts, findImages, identifierOf } from './study-queries.ts';

export interface StudyFetch {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly accessLog: AccessLog;
  readonly maxObjectBytes: number;
  readonly filesPerImport: number;
  readonly fetch: DicomFetchRow;
  readonly owner: string;
  readonly deviceName: string;
  readonly open: (contexts: readonly ProposedContext[], roles?: readonly RoleSelection[]) => Promise<Association>;
  readonly onError: (error: unknown) => void;
  /** Stops at once when it is aborted. */
  readonly signal: AbortSignal;
}

/** UIDs of one C-GET. */
const maxUids = 100;

/** Classes that are proposed when the device does not say which a study has. */
const usualClasses = '1 1.1 1.1.1 1.2 1.2.1 1.3 1.3.1 2 2.1 4 7 7.2 7.4 12.1 13.1.3 77.1.4 88.11 104.1 104.3 11.1 481.3'
  .split(' ')
  .map((end) => `1.2.840.10008.5.1.4.1.1.${end}`);

/** Lists the images of the study at the device, once. */
const list = async (
  { db, filesPerImport, fetch, owner, open }: StudyFetch,
  study: FetchStudyRow,
): Promise<FetchStudyRow> => {
  if (study.is_listed) return study;
  const association = await open(findContexts);
  try {
    const images = await findImages(association, study.study_uid, filesPerImport);
    const taskId = await db.transaction().execute(async (transaction) => {
      if (!(await holdFetch(transaction, fetch.id, owner))) throw new Error('the fetch was stopped');
      const id = await listImages(transaction, fetch, study, images);
      const { created_by: accountId, customer_id: customerId, patient_id: patientId } = fetch;
      const entry = { at: new Date(), accountId, customerId, patientId, objectId: id };
      await insertAccesses(transaction, [{ ...entry, action: 'import.begun' }]);
      return id;
    });
    await association.release();
    return { ...study, is_listed: true, task_id: taskId };
  } finally {
    association.abort();
  }
};

const classOf = ({ sop_class_uid: uid }: FetchImageRow): string => (uid && isStorageClass(uid) ? uid : '');

/** Images of one class, which go over one association. */
const byClass = (images: readonly FetchImageRow[]): ReadonlyMap<string, readonly FetchImageRow[]> =>
  Map.groupBy(images, classOf);

/** Images of one series, as many as one request names. */
const requestsOf = (images: readonly FetchImageRow[]): (readonly FetchImageRow[])[] =>
  [...Map.groupBy(images, (image) => image.series_uid).values()].flatMap((series) =>
    Array.from({ length: Math.ceil(series.length / maxUids) }, (_, index) =>
      series.slice(index * maxUids, (index + 1) * maxUids),
    ),
  );

const isPartial = (status: number): boolean => isStored(status) || status === statuses.subOperationsImpossible;

/**
 * Fetches images of one class over one association. `isPlainOffered`: also in a plain encoding; DCMTK then sends no compressed image, and gets a second
 * chance without. @throws QueryFailed, AssociationError; the reason of a stop
 */
const getImages = async (
  options: StudyFetch,
  study: FetchStudyRow,
  sopClass: string,
  images: readonly FetchImageRow[],
  isPlainOffered: boolean,
) => {
  const { open, onError } = options;
  const { contexts, roles } = getProposal(sopClass ? [sopClass] : usualClasses, isPlainOffered);
  const association = await open(contexts, roles);
  const stops: unknown[] = [];
  const onStop = (error: unknown) => {
    stops.push(error);
    association.abort();
  };
  try {
    const { get } = createRetrievals(association);
    for (const request of requestsOf(images)) {
      const uids = request.map((image) => image.sop_instance_uid);
      const keys = [
        [tags.sopInstanceUid, 'UI', uids.join('\\')],
        [tags.studyInstanceUid, 'UI', study.study_uid],
        [tags.seriesInstanceUid, 'UI', request[0]?.series_uid],
      ] as const;
      const openSink = fetchSink({ ...options, study, asked: new Set(uids), onStop });
      const status = await get({ identifierOf: identifierOf('IMAGE', keys), openSink, onError }).catch((error) => {
        throw stops.length > 0 ? stops[0] : error;
      });
      if (stops.length > 0) throw stops[0];
      if (!isPartial(status)) throw new QueryFailed(status);
    }
    await association.release();
  } finally {
    association.abort();
  }
};

/** Moves the import on when something was fetched; else it ends. */
const finish = (
  { db, fetch, owner }: StudyFetch,
  study: FetchStudyRow & { readonly task_id: string },
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    if (!(await holdFetch(transaction, fetch.id, owner))) return false;
    const task = await lockTask(transaction, study.task_id, 'update');
    const outcomes = await outcomesOf(transaction, study);
    if (outcomes.has('fetched')) {
      if (task?.step === importSteps.uploading) await advance(transaction, study.task_id, 'uploading');
      return true;
    }
    await withdrawTask(transaction, study.task_id);
    const outcome = outcomes.size === 0 ? 'empty' : outcomes.has('known') && outcomes.size === 1 ? 'known' : 'failed';
    await noteStudyOutcome(transaction, study, outcome);
    return false;
  });

/** Fetches what is left of a study. Returns the study when its import has begun to read it; null when nothing was fetched. */
export const fetchStudy = async (
  options: StudyFetch,
  given: FetchStudyRow,
): Promise<(FetchStudyRow & { readonly task_id: string }) | null> => {
  const { db, accessLog, fetch, deviceName, signal } = options;
  const { id, created_by: accountId, customer_id: customerId, patient_id: patientId } = fetch;
  if (!given.is_listed)
    await accessLog.note({
      accountId,
      customerId,
      patientId,
      action: 'study.fetched',
      objectId: id,
      detail: deviceName,
    });
  const study = await list(options, given);
  const { task_id } = study;
  if (!task_id) return null;
  for (const isPlainOffered of [true, false])
    for (const [sopClass, images] of byClass(await unfetchedImages(db, study))) {
      signal.throwIfAborted();
      await getImages(options, study, sopClass, images, isPlainOffered);
    }
  const left = await unfetchedImages(db, study);
  await noteFetched(
    db,
    study,
    left.map((image) => image.sop_instance_uid),
    'not-sent',
  );
  return (await finish(options, { ...study, task_id })) ? { ...study, task_id } : null;
};
