import type { Kysely } from 'kysely';
import { type ImportStudy, importSteps } from '../../../contract/imports.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportStudyRow, studiesOfTasks, updateImportStudy } from '../../db/stores/import-studies.ts';
import { advance, type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { noRightError, ProblemError } from '../../domain/problem-error.ts';
import { type DecisionRequest, writeDecision } from './decide.ts';
import { deniedRight } from './denied-right.ts';
import { type StudyNow, studiesNow } from './study-view.ts';

export interface Confirmation extends Omit<DecisionRequest, 'leftOut' | 'mismatchConfirmed'> {
  readonly id: string;
  /** A user confirmed that files name another patient. */
  readonly mismatchConfirmed: boolean;
}

const problemOfObstacle: Readonly<Record<ImportStudy['obstacles'][number], ProblemCode>> = {
  'patient-missing': 'invalid-request',
  'mismatch-not-confirmed': 'mismatch-not-confirmed',
  'study-of-another-patient': 'study-of-another-patient',
  'nothing-to-import': 'nothing-to-import',
};

/** Applies the decision in the confirmation itself. Allowed only for a single study; several are decided one by one. */
const applyRequest = async (
  db: Kysely<Schema>,
  principal: Principal,
  task: ImportTaskRow,
  rows: readonly ImportStudyRow[],
  request: DecisionRequest,
): Promise<void> => {
  if (Object.values(request).every((value) => value === undefined)) return;
  const [only, ...others] = rows.filter((row) => !row.left_out);
  if (!only || others.length > 0) throw new ProblemError('invalid-request', [{ fieldKey: 'id' }]);
  await writeDecision(db, principal, task, only, request);
};

/** The confirmation applies only to the patient whom the user named, or for whom the import was started. */
const confirmMismatches = async (db: Kysely<Schema>, task: ImportTaskRow, patientId: string | null): Promise<void> => {
  if (patientId === null) return;
  for (const row of await studiesOfTasks(db, [task.id]))
    if (row.patient_id === patientId) await updateImportStudy(db, row, { mismatch_confirmed: true });
};

/** @throws ProblemError for the first obstacle */
const checkObstacles = (studies: readonly StudyNow[]): void => {
  // A study without remaining files does not block the others.
  const included = studies.filter(({ row, filesCount }) => !row.left_out && filesCount > 0);
  if (included.length === 0) throw new ProblemError('nothing-to-import');
  for (const { obstacles } of included)
    for (const obstacle of obstacles) {
      const code = problemOfObstacle[obstacle];
      throw code === 'invalid-request' ? new ProblemError(code, [{ fieldKey: 'patientId' }]) : new ProblemError(code);
    }
};

/**
 * Confirms the import of all studies that are not left out. Idempotent, as the first reply may have been lost. Returns whether this call
 * changed the state.
 * @throws ProblemError 'import-not-found', 'import-wrong-step', 'nothing-to-import', 'no-right', 'mismatch-not-confirmed',
 * 'study-of-another-patient', 'invalid-request' when a study has no patient; as `writeDecision`
 */
export const confirmImport = (
  db: Kysely<Schema>,
  principal: Principal,
  { id, mismatchConfirmed, ...request }: Confirmation,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, id, 'update');
    if (!task) throw new ProblemError('import-not-found');
    if (task.error || task.step < importSteps.validation) throw new ProblemError('import-wrong-step');
    if (task.step > importSteps.validation) return false;
    await applyRequest(transaction, principal, task, await studiesOfTasks(transaction, [id]), request);
    if (mismatchConfirmed) await confirmMismatches(transaction, task, request.patientId ?? task.patient_id);
    const studies = await studiesNow(transaction, task.customer_id, await studiesOfTasks(transaction, [id]));
    checkObstacles(studies);
    const denied = deniedRight(
      principal.permissions,
      studies.filter(({ row }) => !row.left_out),
    );
    if (denied) throw noRightError(denied);
    return advance(transaction, id, 'validation', { mismatchConfirmed, confirmedBy: principal.accountId });
  });
