import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { nextOfStudy } from '../../db/stores/import-files.ts';
import { moveFiles, settleFiles } from '../../db/stores/import-outcomes.ts';
import { findImportStudy, type ImportStudyRow } from '../../db/stores/import-studies.ts';
import type { ImportFileRow, ImportTaskRow } from '../../db/stores/imports.ts';
import { findPatient, type PatientRow } from '../../db/stores/patients.ts';
import { actorOf } from '../../db/stores/received-tasks.ts';
import type { RecordEvents } from '../../domain/record-events.ts';
import { inParallel } from '../../jobs/in-parallel.ts';
import { arrangeDisplays } from '../displays/arrange-displays.ts';
import type { OnSettled } from '../on-settled.ts';
import { FileError, fileErrorOf } from '../read/file-error.ts';
import type { Reading } from '../read/read-file.ts';
import { finishStudy } from './finish-study.ts';
import type { Counter } from './import-events.ts';
import { incomingObjectOf, type TargetStudy, targetStudyOf } from './incoming-objects.ts';
import { missingBytes, waitsForBytes } from './missing-bytes.ts';
import { type IncomingObject, storeObjects } from './store-objects.ts';
import { PatientChangedError } from './study-owner.ts';

export interface StudyWork {
  readonly db: Kysely<Schema>;
  readonly reading: Reading;
  readonly records: RecordEvents;
  readonly onSettled?: OnSettled | undefined;
}

/** Files per transaction; fewer pictures, because each is first converted to an object. */
const together = { dicom: 100, static: 10 } as const;
const parallelObjects = 2;

const refuse = async ({ db, onSettled }: StudyWork, rows: readonly ImportFileRow[], error: unknown): Promise<void> => {
  const { problem, detail } = fileErrorOf(error);
  const refused = rows.map((row) => ({ id: row.id, status: 'refused' as const, problem, detail }));
  await settleFiles(db, ['parsed', 'duplicate'], refused);
  onSettled?.(refused);
};

/** Returns the patient and target of a study. If either is gone, its files are refused temporarily. @throws FileError */
const targetOf = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  study: ImportStudyRow,
): Promise<{ readonly patient: PatientRow; readonly target: TargetStudy | null }> => {
  const patient = study.patient_id === null ? undefined : await findPatient(db, study.patient_id);
  if (patient?.customer_id !== task.customer_id) {
    throw new FileError('storage-failed', 'the patient of this import is not there any more');
  }
  return { patient, target: study.kind === 'static' ? await targetStudyOf(db, task, study) : null };
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
    const { patient, target } = await targetOf(db, task, study);
    const incoming = new Map<string, IncomingObject>();
    let missing = 0;
    await inParallel(rows, parallelObjects, async (row) => {
      signal.throwIfAborted();
      try {
        incoming.set(row.id, await incomingObjectOf(reading, patient, row, target));
      } catch (error) {
        if (waitsForBytes(reading, task, error)) missing += 1;
        else await refuse(work, [row], error);
      }
    });
    const settled = await storeObjects(
      db,
      { customerId: task.customer_id, patientId: patient.id, study },
      rows.flatMap((row) => incoming.get(row.id) ?? []),
    );
    work.onSettled?.(settled);
    if (missing > 0) throw missingBytes(missing);
  } catch (error) {
    if (error instanceof PatientChangedError) return takeInFiles(work, task, key, rows, signal);
    if (!(error instanceof FileError)) throw error;
    await refuse(work, rows, error);
  }
};

/**
 * Imports one study as decided: its files, then its viewset, then the mounts that arrived as objects. Files of an excluded study are marked left-out. It can be stopped anywhere and
 * resumed.
 * @throws the reason of `signal`; errors that do not concern the files
 */
export const importStudy = async (
  work: StudyWork,
  task: ImportTaskRow,
  study: ImportStudyRow,
  signal: AbortSignal,
  progress: Counter,
): Promise<void> => {
  const { db, reading, records } = work;
  const files = { taskId: task.id, key: study.key };
  if (study.left_out) return moveFiles(db, files, ['parsed', 'duplicate'], 'left-out');
  let last: ImportFileRow | null = null;
  for (;;) {
    signal.throwIfAborted();
    const rows: ImportFileRow[] = await nextOfStudy(db, files, last, together[study.kind]);
    last = rows.at(-1) ?? null;
    if (last === null) break;
    await takeInFiles(work, task, study.key, rows, signal);
    for (const row of rows) if (row.status === 'parsed') await progress.tick();
  }
  const finished = await finishStudy(db, task, study);
  if (!finished) return;
  const accountId = actorOf(task);
  const patient = { customerId: task.customer_id, patientId: finished.patientId };
  const arranged = await arrangeDisplays({ db, files: reading.files }, { accountId, ...patient });
  const record = { principal: { accountId }, ...patient };
  await records.patientChanged(record);
  await records.viewsetsChanged(record, [...finished.viewsets, ...arranged]);
};
