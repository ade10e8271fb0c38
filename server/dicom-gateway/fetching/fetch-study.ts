import { importSteps } from '../../../contract/imports.ts';
import { insertAccesses } from '../../db/stores/access-log.ts';
import {
  type FetchStudyRow,
  holdFetch,
  listImages,
  noteFetched,
  noteStudyOutcome,
  outcomesOf,
  unfetchedImages,
} from '../../db/stores/dicom-fetch-work.ts';
import { advance, lockTask, withdrawTask } from '../../db/stores/imports.ts';
import { getImages } from './get-images.ts';
import { moveImages } from './move-images.ts';
import type { ListedStudy, StudyFetch } from './study-fetch.ts';
import { findContexts, findImages } from './study-queries.ts';

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

/** Moves the import on when something was fetched; else it ends. */
const finish = ({ db, fetch, owner }: StudyFetch, study: ListedStudy): Promise<boolean> =>
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
export const fetchStudy = async (options: StudyFetch, given: FetchStudyRow): Promise<ListedStudy | null> => {
  const { db, accessLog, fetch, deviceName } = options;
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
  const { task_id, ...rest } = await list(options, given);
  if (!task_id) return null;
  const study = { ...rest, task_id };
  if (study.by_move || !(await getImages(options, study))) await moveImages(options, study);
  const left = await unfetchedImages(db, study);
  await noteFetched(
    db,
    study,
    left.map((image) => image.sop_instance_uid),
    'not-sent',
  );
  return (await finish(options, study)) ? study : null;
};
