import type { Kysely } from 'kysely';
import { type ForeignPatient, foreignPatient } from '../../../contract/dicom-fetches.ts';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { insertAccesses } from '../../db/stores/access-log.ts';
import { type FetchStudyRow, holdFetch } from '../../db/stores/dicom-fetch-work.ts';
import type { DicomFetchRow } from '../../db/stores/dicom-fetches.ts';
import { foundInTask, studiesOfTasks, updateImportStudy } from '../../db/stores/import-studies.ts';
import { advance, lockTask } from '../../db/stores/imports.ts';
import { isNamedAs, needsConfirmation } from '../../domain/foreign-patient.ts';
import { studiesNow } from '../../imports/ledger/study-view.ts';

/** `imported`: it goes in, or a user decided; `undecided`: a user must decide; null: it is not read yet. */
export type FetchedJudgement = 'imported' | 'undecided' | 'failed' | null;

/**
 * Confirms the import of a fetched study when each of its files names the patient here, or, after the confirmation of the user, the patient that
 * the user saw. Anything else waits for a user.
 */
export const judgeFetched = (
  db: Kysely<Schema>,
  fetch: DicomFetchRow,
  owner: string,
  study: FetchStudyRow & { readonly task_id: string },
): Promise<FetchedJudgement> =>
  db.transaction().execute(async (transaction) => {
    if (!(await holdFetch(transaction, fetch.id, owner))) return null;
    const task = await lockTask(transaction, study.task_id, 'update');
    if (!task || task.error) return 'failed';
    if (task.step > importSteps.validation) return 'imported';
    if (task.step < importSteps.validation) return null;
    const rows = await studiesOfTasks(transaction, [task.id]);
    const [now, ...others] = await studiesNow(transaction, task.customer_id, rows);
    if (!now || others.length > 0 || now.row.key !== study.study_uid) return 'undecided';
    const { patient, row } = now;
    if (patient?.id !== fetch.patient_id || now.elsewhereFiles > 0) return 'undecided';
    const seen: ForeignPatient = foreignPatient.parse(study.foreign_patient);
    const named = (await foundInTask(transaction, task.id)).map((file) => file.named);
    const isSound = named.every((one) => {
      const file: ForeignPatient = one ?? { name: null, patientId: null, birthDate: null };
      return !needsConfirmation(file, patient) || (study.is_confirmed && isNamedAs(file, seen));
    });
    if (!isSound) return 'undecided';
    const mismatchConfirmed = now.match === 'differs';
    if (now.obstacles.some((obstacle) => obstacle !== 'mismatch-not-confirmed')) return 'undecided';
    if (mismatchConfirmed) await updateImportStudy(transaction, row, { mismatch_confirmed: true });
    await advance(transaction, task.id, 'validation', { mismatchConfirmed, confirmedBy: fetch.created_by });
    const entry = { at: new Date(), accountId: fetch.created_by, customerId: task.customer_id, patientId: patient.id };
    await insertAccesses(transaction, [{ ...entry, action: 'import.confirmed', objectId: task.id }]);
    return 'imported';
  });
