import type { Kysely } from 'kysely';
import { mayDo } from '../../../contract/claims.ts';
import { type ImportStudy, importSteps } from '../../../contract/imports.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportStudyRow, studiesOfTasks, updateImportStudy } from '../../db/stores/import-studies.ts';
import { advance, type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import type { Principal } from '../../policy/principal.ts';
import { Refusal, withoutRight } from '../../refusal.ts';
import { type Wish, writeDecision } from './decide.ts';
import { type StudyNow, studiesNow } from './study-view.ts';

export interface Confirmation extends Omit<Wish, 'leftOut' | 'mismatchConfirmed'> {
  readonly id: string;
  /** A person saw that files name somebody else. */
  readonly mismatchConfirmed: boolean;
}

const refusals: Readonly<Record<ImportStudy['obstacles'][number], ProblemCode>> = {
  'patient-missing': 'invalid-request',
  'mismatch-not-confirmed': 'mismatch-not-confirmed',
  'study-of-another-patient': 'study-of-another-patient',
  'nothing-to-import': 'nothing-to-import',
};

/** What the call itself says about the study: only where there is one, with several each is decided by itself. */
const applyWish = async (
  db: Kysely<Schema>,
  principal: Principal,
  task: ImportTaskRow,
  rows: readonly ImportStudyRow[],
  wish: Wish,
): Promise<void> => {
  if (Object.values(wish).every((value) => value === undefined)) return;
  const [only, ...others] = rows.filter((row) => !row.left_out);
  if (!only || others.length > 0) throw new Refusal('invalid-request', [{ fieldKey: 'id' }]);
  await writeDecision(db, principal, task, only, wish);
};

/** A person's word counts for the patient whom they named, or whom the import was begun for, and for nobody else. */
const confirmMismatches = async (db: Kysely<Schema>, task: ImportTaskRow, patientId: string | null): Promise<void> => {
  if (patientId === null) return;
  for (const row of await studiesOfTasks(db, [task.id]))
    if (row.patient_id === patientId) await updateImportStudy(db, row, { mismatch_confirmed: true });
};

const checkRights = (principal: Principal, studies: readonly StudyNow[]): void => {
  const barred = (claim: 'disable.new_study' | 'disable.new_series') => mayDo(principal.permissions, claim);
  if (barred('disable.new_study') && studies.some(({ inArchive }) => inArchive === null))
    throw withoutRight('disable.new_study');
  if (barred('disable.new_series') && studies.some(({ row }) => row.template_id !== null && row.viewset_id === null))
    throw withoutRight('disable.new_series');
};

/** @throws Refusal for the first thing that stands in the way */
const checkObstacles = (studies: readonly StudyNow[]): void => {
  // A study of which nothing is left harms none of the others.
  const wanted = studies.filter(({ row, filesCount }) => !row.left_out && filesCount > 0);
  if (wanted.length === 0) throw new Refusal('nothing-to-import');
  for (const { obstacles } of wanted)
    for (const obstacle of obstacles) {
      const code = refusals[obstacle];
      throw code === 'invalid-request' ? new Refusal(code, [{ fieldKey: 'patientId' }]) : new Refusal(code);
    }
};

/**
 * A person wants what is not left out. Asking again changes nothing: the first reply may have been lost. Returns whether this call did it.
 * @throws Refusal 'import-not-found', 'import-wrong-step', 'nothing-to-import', 'no-right', 'mismatch-not-confirmed',
 * 'study-of-another-patient', 'invalid-request' when a study has no patient; as `writeDecision`
 */
export const confirmImport = (
  db: Kysely<Schema>,
  principal: Principal,
  { id, mismatchConfirmed, ...wish }: Confirmation,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, id, 'update');
    if (!task) throw new Refusal('import-not-found');
    if (task.error || task.step < importSteps.validation) throw new Refusal('import-wrong-step');
    if (task.step > importSteps.validation) return false;
    await applyWish(transaction, principal, task, await studiesOfTasks(transaction, [id]), wish);
    if (mismatchConfirmed) await confirmMismatches(transaction, task, wish.patientId ?? task.patient_id);
    const studies = await studiesNow(transaction, task.customer_id, await studiesOfTasks(transaction, [id]));
    checkObstacles(studies);
    checkRights(
      principal,
      studies.filter(({ row }) => !row.left_out),
    );
    return advance(transaction, id, 'validation', { mismatchConfirmed, confirmedBy: principal.accountId });
  });
