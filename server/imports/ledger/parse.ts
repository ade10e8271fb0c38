import type { Kysely } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { type FileOutcome, settleFiles } from '../../db/stores/import-outcomes.ts';
import { studiesOfTasks } from '../../db/stores/import-studies.ts';
import { type ImportFileRow, type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import { findPatient, type PatientRow } from '../../db/stores/patients.ts';
import { type FileReading, type Reading, readReceivedFile, type WrittenPatient } from '../read/read-file.ts';
import { refusalOf } from '../read/refused-file.ts';
import { inParallel } from './in-parallel.ts';
import { judgeAll, type Verdict } from './judge.ts';
import { matchOf } from './match-patient.ts';
import { Stopped } from './stopped.ts';
import { picturesKey } from './studies.ts';

export interface Parsing {
  readonly db: Kysely<Schema>;
  readonly reading: Reading;
  readonly parallelFiles: number;
}

type Read = readonly [row: ImportFileRow, reading: FileReading];

const nobody: WrittenPatient = { name: null, patientId: null, birthDate: null, sex: null };

const verdictOf = (verdict: Verdict): Pick<FileOutcome, 'status' | 'problem' | 'detail' | 'image_id'> => {
  if (verdict.kind === 'refused') return { status: 'refused', problem: verdict.problem, detail: verdict.detail };
  return verdict.kind === 'duplicate' ? { status: 'duplicate', image_id: verdict.imageId } : { status: 'parsed' };
};

const outcomeOf = (
  [{ id }, reading]: Read,
  patient: PatientRow | undefined,
  judge: Awaited<ReturnType<typeof judgeAll>>,
): FileOutcome => {
  switch (reading.kind) {
    case 'refused':
      return { id, status: 'refused', problem: reading.problem, detail: reading.detail };
    case 'zip':
      return { id, status: 'refused', problem: 'too-deep', detail: 'a zip within this import is not unpacked' };
    case 'directory': {
      const detail = 'the table of contents of a disc';
      return { id, status: 'ignored', problem: 'media-directory', detail, summary: reading };
    }
    case 'picture': {
      const named_patient = { ...nobody, match: 'unknown' };
      return { id, status: 'parsed', summary: reading, named_patient, study_key: picturesKey };
    }
    case 'object': {
      const { file, named, remark } = reading;
      const match = patient && named ? matchOf(named, patient) : 'unknown';
      const found = { summary: file, named_patient: { ...(named ?? nobody), match }, modality: file.modality };
      return { id, ...found, study_key: file.studyUid, ...remark, ...verdictOf(judge(file)) };
    }
  }
};

/** Whom the objects are judged against: the patient of the import, as long as nobody could have chosen another one. */
const patientOf = async (db: Kysely<Schema>, task: ImportTaskRow): Promise<PatientRow | undefined> => {
  if (task.patient_id === null || (await studiesOfTasks(db, [task.id])).length > 0) return undefined;
  return findPatient(db, task.patient_id);
};

const settle = (db: Kysely<Schema>, taskId: string, read: readonly Read[]): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, taskId, 'share');
    if (!task || task.error || task.step > importSteps.parsing) throw new Stopped();
    const patient = await patientOf(transaction, task);
    const objects = read.flatMap(([, reading]) => (reading.kind === 'object' ? [reading.file] : []));
    const target = { customerId: task.customer_id, patientId: patient?.id ?? null };
    const judge = await judgeAll(transaction, target, objects);
    await settleFiles(
      transaction,
      ['received'],
      read.map((one) => outcomeOf(one, patient, judge)),
    );
  });

/** Writes what files are, all together; one by one when the values of one of them are such that the database refuses all. */
const settleAll = async (db: Kysely<Schema>, taskId: string, read: readonly Read[]): Promise<void> => {
  try {
    await settle(db, taskId, read);
  } catch (error) {
    const { problem, detail } = refusalOf(error);
    const [only, ...others] = read;
    if (!only) return;
    if (others.length > 0) for (const one of read) await settleAll(db, taskId, [one]);
    else await settleFiles(db, ['received'], [{ id: only[0].id, status: 'refused', problem, detail }]);
  }
};

/**
 * Reads files that belong together only in that they are read at once, and writes into the ledger what each is: parsed (with all that the import
 * needs), duplicate, ignored or refused. A broken file harms no other; one that takes the process with it is known to the decoders
 * (server/dicom/in-hand.ts), who give it up. Returns the zips among them when they are `kept`: they wait to be unpacked.
 * @throws Stopped; the reason of the signal; what has nothing to do with the files, such as a database that is away
 */
export const readFiles = async (
  { db, reading, parallelFiles }: Parsing,
  task: ImportTaskRow,
  rows: readonly ImportFileRow[],
  { signal, onRead, zips }: { signal: AbortSignal; onRead: () => Promise<void>; zips: 'kept' | 'refused' },
): Promise<readonly string[]> => {
  const read: Read[] = [];
  await inParallel(rows, parallelFiles, async (row) => {
    signal.throwIfAborted();
    read.push([row, await readReceivedFile(reading, row)]);
    await onRead();
  });
  const isKept = ([, one]: Read) => zips === 'kept' && one.kind === 'zip';
  await settleAll(
    db,
    task.id,
    read.filter((one) => !isKept(one)),
  );
  return read.filter(isKept).map(([row]) => row.id);
};
