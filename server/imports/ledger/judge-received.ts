import type { Kysely } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { insertAccesses } from '../../db/stores/access-log.ts';
import { accountById } from '../../db/stores/account-store.ts';
import { countFiles } from '../../db/stores/import-files.ts';
import { foundInTask, studiesOfTasks, updateImportStudy } from '../../db/stores/import-studies.ts';
import { advance, endTask, type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import { actorOf, markJudged } from '../../db/stores/received-tasks.ts';
import { candidatesFor, matchesFully } from './candidates.ts';
import { certainMount } from './certain-mount.ts';
import { deniedRight } from './denied-right.ts';
import { orderedPatient } from './ordered-patient.ts';
import { type StudyNow, studiesNow } from './study-view.ts';

/** `confirmed`: it goes in; `done`: the archive has it all; `waits`: a user decides. */
export type Judgement = 'confirmed' | 'done' | 'waits';

const isUntouched = ({ row }: StudyNow): boolean =>
  !row.left_out && !row.mismatch_confirmed && row.template_id === null && Object.keys(row.links).length === 0;

/** Nothing of it is in the recycle bin, or of another patient. */
const isFree = ({ patient, inArchive, deletedFiles, elsewhereFiles, obstacles }: StudyNow): boolean =>
  obstacles.length === 0 &&
  deletedFiles === 0 &&
  elsewhereFiles === 0 &&
  (inArchive === null || (inArchive.patient.id === patient?.id && !inArchive.isDeleted));

/**
 * Returns whether the study was ordered for this patient, and each file names the patient and none contradicts; else, where the source may do so, whether every file names exactly this
 * patient of the clinic, by number, name and birth date.
 */
const isCertain = async (db: Kysely<Schema>, task: ImportTaskRow, study: StudyNow): Promise<boolean> => {
  const { patient, named, row } = study;
  if (patient === null || row.kind !== 'dicom' || row.names_several || !isUntouched(study) || !isFree(study))
    return false;
  const files = (await foundInTask(db, task.id)).filter(({ key }) => key === row.key);
  const ordered = await orderedPatient(db, task, row.key, named);
  if (ordered !== undefined)
    return ordered?.id === patient.id && files.every((file) => file.named?.patientId || file.named?.name);
  if (!task.at_once) return false;
  if (!files.every((file) => file.named !== null && matchesFully(file.named, patient))) return false;
  const [first] = named;
  const same = first ? (await candidatesFor(db, task.customer_id, first)).filter(({ match }) => match === 'same') : [];
  return same.length === 1 && same[0]?.patient.id === patient.id;
};

const areAllCertain = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  studies: readonly StudyNow[],
): Promise<boolean> => {
  for (const study of studies) if (!(await isCertain(db, task, study))) return false;
  return studies.length > 0;
};

/** Returns the claims of the user who sent an import; none for devices and service accounts. Null when the account is disabled. */
const permissionsOf = async (db: Kysely<Schema>, { account_id }: ImportTaskRow): Promise<readonly string[] | null> => {
  if (account_id === null) return [];
  const account = await accountById(db, account_id);
  return account?.isActive ? account.claims : null;
};

const confirm = async (
  transaction: Kysely<Schema>,
  task: ImportTaskRow,
  studies: readonly StudyNow[],
  permissions: readonly string[],
): Promise<void> => {
  for (const study of studies) {
    const mount = await certainMount(transaction, task, study, permissions);
    if (mount) await updateImportStudy(transaction, study.row, mount);
  }
  await advance(transaction, task.id, 'validation');
  const patients = new Set(studies.flatMap(({ patient }) => patient?.id ?? []));
  const by = { at: new Date(), accountId: actorOf(task), customerId: task.customer_id, objectId: task.id };
  await insertAccesses(
    transaction,
    [...patients].map((patientId) => ({ ...by, patientId, action: 'import.confirmed' })),
  );
};

/**
 * Decides, once, what becomes of a received import that is read: what the archive has already ends, images that were ordered go in, images of exactly one patient
 * too when the source may do so at once. Everything else waits for a user, also any import with a refused file, or of a user who may not confirm it. Null: nothing to decide.
 */
export const judgeReceived = (db: Kysely<Schema>, taskId: string): Promise<Judgement | null> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, taskId, 'update');
    if (!task || task.error || task.step !== importSteps.validation || task.judged_at !== null) return null;
    await markJudged(transaction, taskId);
    const counts = await countFiles(transaction, taskId);
    const read = [...counts].filter(([, count]) => count > 0).map(([status]) => status);
    if (!read.every((status) => status === 'parsed' || status === 'duplicate')) return 'waits';
    const rows = await studiesOfTasks(transaction, [taskId]);
    const studies = await studiesNow(transaction, task.customer_id, rows);
    if (!read.includes('parsed') && studies.every(({ deletedFiles }) => deletedFiles === 0)) {
      await endTask(transaction, taskId);
      return 'done';
    }
    if (!(await areAllCertain(transaction, task, studies))) return 'waits';
    // A user who sends needs the rights of a user who confirms.
    const permissions = await permissionsOf(transaction, task);
    if (permissions === null || deniedRight(permissions, studies)) return 'waits';
    await confirm(transaction, task, studies, permissions);
    return 'confirmed';
  });
