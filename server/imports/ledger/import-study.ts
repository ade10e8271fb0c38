import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { nextOfStudy } from '../../db/stores/import-files.ts';
import { moveFiles, settleFiles } from '../../db/stores/import-outcomes.ts';
import { findImportStudy, type ImportStudyRow } from '../../db/stores/import-studies.ts';
import type { ImportFileRow, ImportTaskRow } from '../../db/stores/imports.ts';
import { findPatient, type PatientRow } from '../../db/stores/patients.ts';
import type { RecordNews } from '../../resource/record-news.ts';
import type { Reading } from '../read/read-file.ts';
import { RefusedFile, refusalOf } from '../read/refused-file.ts';
import { arrivalOf, type Place, placeOf } from './arrivals.ts';
import { finishStudy } from './finish-study.ts';
import type { Counter } from './import-news.ts';
import { inParallel } from './in-parallel.ts';
import { MovedMeanwhile } from './study-owner.ts';
import { type Arrival, takeIn } from './take-in.ts';

export interface StudyWork {
  readonly db: Kysely<Schema>;
  readonly reading: Reading;
  readonly records: RecordNews;
}

/** Files of one transaction; of pictures fewer, for each has to be made into an object first. */
const together = { dicom: 100, static: 10 } as const;
const parallelObjects = 2;

const refuse = async (db: Kysely<Schema>, rows: readonly ImportFileRow[], error: unknown): Promise<void> => {
  const { problem, detail } = refusalOf(error);
  await settleFiles(
    db,
    ['parsed', 'duplicate'],
    rows.map((row) => ({ id: row.id, status: 'refused', problem, detail })),
  );
};

/** The patient and place of a study; what is not there any more refuses its files, who can be read again later. @throws RefusedFile */
const targetOf = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  study: ImportStudyRow,
): Promise<{ readonly patient: PatientRow; readonly place: Place | null }> => {
  const patient = study.patient_id === null ? undefined : await findPatient(db, study.patient_id);
  if (patient?.customer_id !== task.customer_id) {
    throw new RefusedFile('storage-failed', 'the patient of this import is not there any more');
  }
  return { patient, place: study.kind === 'static' ? await placeOf(db, task, study) : null };
};

const takeInFiles = async (
  work: StudyWork,
  task: ImportTaskRow,
  key: string,
  rows: readonly ImportFileRow[],
  signal: AbortSignal,
): Promise<void> => {
  const { db, reading } = work;
  try {
    const study = await findImportStudy(db, task.id, key);
    if (!study) throw new Error('the import has lost a study');
    const { patient, place } = await targetOf(db, task, study);
    const arrivals = new Map<string, Arrival>();
    await inParallel(rows, parallelObjects, async (row) => {
      signal.throwIfAborted();
      try {
        arrivals.set(row.id, await arrivalOf(reading, patient, row, place));
      } catch (error) {
        await refuse(db, [row], error);
      }
    });
    await takeIn(
      db,
      { customerId: task.customer_id, patientId: patient.id, study },
      rows.flatMap((row) => arrivals.get(row.id) ?? []),
    );
  } catch (error) {
    if (error instanceof MovedMeanwhile) return takeInFiles(work, task, key, rows, signal);
    if (!(error instanceof RefusedFile)) throw error;
    await refuse(db, rows, error);
  }
};

/**
 * Takes one study of an import into the archive as it was decided: its files, then its mount. Files of one that is left out say so. It can be stopped
 * anywhere and taken up again.
 * @throws the reason of `signal`; what has nothing to do with the files
 */
export const importStudy = async (
  work: StudyWork,
  task: ImportTaskRow,
  study: ImportStudyRow,
  signal: AbortSignal,
  count: Counter,
): Promise<void> => {
  const { db, records } = work;
  const files = { taskId: task.id, key: study.key };
  if (study.left_out) return moveFiles(db, files, ['parsed', 'duplicate'], 'left-out');
  let last: ImportFileRow | null = null;
  for (;;) {
    signal.throwIfAborted();
    const rows: ImportFileRow[] = await nextOfStudy(db, files, last, together[study.kind]);
    last = rows.at(-1) ?? null;
    if (last === null) break;
    await takeInFiles(work, task, study.key, rows, signal);
    for (const row of rows) if (row.status === 'parsed') await count.tick();
  }
  const finished = await finishStudy(db, task, study);
  if (!finished) return;
  const accountId = task.confirmed_by ?? task.account_id;
  const record = { principal: { accountId }, customerId: task.customer_id, patientId: finished.patientId };
  await records.patientChanged(record);
  await records.viewsetsChanged(record, finished.viewsets);
};
