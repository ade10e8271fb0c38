import type { Kysely } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { type FileOutcome, settleFiles } from '../../db/stores/import-outcomes.ts';
import { studiesOfTasks } from '../../db/stores/import-studies.ts';
import { type ImportFileRow, type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import { findPatient, type PatientRow } from '../../db/stores/patients.ts';
import { matchOf } from '../../domain/match-patient.ts';
import { inParallel } from '../../jobs/in-parallel.ts';
import { Stopped } from '../../jobs/stopped.ts';
import type { OnSettled } from '../on-settled.ts';
import { fileErrorOf } from '../read/file-error.ts';
import { type FileReading, type Reading, readReceivedFile, type WrittenPatient } from '../read/read-file.ts';
import { type Classification, createClassifier } from './classify-objects.ts';
import { isWithinGrace, missingBytes } from './missing-bytes.ts';
import { picturesKey } from './studies.ts';

export interface Parsing {
  readonly db: Kysely<Schema>;
  readonly reading: Reading;
  readonly parallelFiles: number;
  readonly onSettled?: OnSettled | undefined;
}

type Read = readonly [row: ImportFileRow, reading: FileReading];

const unnamed: WrittenPatient = { name: null, patientId: null, birthDate: null, sex: null };

/** A picture may become a photograph or an X-ray image. */
const modalities = { picture: {}, pdf: { modality: 'DOC' }, video: { modality: 'XC' } };

const columnsOf = (classification: Classification): Pick<FileOutcome, 'status' | 'problem' | 'detail' | 'image_id'> => {
  // A user who decides about the import may move the study out of the other patient's recycle bin.
  if (classification.kind === 'refused' && classification.deletedOfAnotherPatient) {
    const { imageId } = classification.deletedOfAnotherPatient;
    return imageId === null ? { status: 'parsed' } : { status: 'duplicate', image_id: imageId };
  }
  if (classification.kind === 'refused')
    return { status: 'refused', problem: classification.problem, detail: classification.detail };
  return classification.kind === 'duplicate'
    ? { status: 'duplicate', image_id: classification.imageId }
    : { status: 'parsed' };
};

const outcomeOf = (
  [{ id }, reading]: Read,
  patient: PatientRow | undefined,
  classifyFile: Awaited<ReturnType<typeof createClassifier>>,
): FileOutcome => {
  switch (reading.kind) {
    case 'refused':
      return { id, status: 'refused', problem: reading.problem, detail: reading.detail };
    case 'missing': {
      const detail = 'the store does not hold its bytes';
      return { id, status: 'refused', problem: 'storage-failed', detail };
    }
    case 'zip':
      return { id, status: 'refused', problem: 'too-deep', detail: 'a zip within this import is not unpacked' };
    case 'directory': {
      const detail = 'the table of contents of a disc';
      return { id, status: 'ignored', problem: 'media-directory', detail, summary: reading };
    }
    case 'picture':
    case 'pdf':
    case 'video': {
      const named_patient = { ...unnamed, match: 'unknown' };
      const modality = modalities[reading.kind];
      return { id, status: 'parsed', summary: reading, named_patient, ...modality, study_key: picturesKey };
    }
    case 'object': {
      const { file, named, remark } = reading;
      const match = patient && named ? matchOf(named, patient) : 'unknown';
      const found = { summary: file, named_patient: { ...(named ?? unnamed), match }, modality: file.modality };
      return { id, ...found, study_key: file.studyUid, ...remark, ...columnsOf(classifyFile(file)) };
    }
  }
};

/** The patient to classify against: that of the import, unless a user could have chosen another one. */
const patientOf = async (db: Kysely<Schema>, task: ImportTaskRow): Promise<PatientRow | undefined> => {
  if (task.patient_id === null || (await studiesOfTasks(db, [task.id])).length > 0) return undefined;
  return findPatient(db, task.patient_id);
};

const settle = (db: Kysely<Schema>, taskId: string, read: readonly Read[]): Promise<readonly FileOutcome[]> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, taskId, 'share');
    if (!task || task.error || task.step > importSteps.parsing) throw new Stopped();
    const patient = await patientOf(transaction, task);
    const objects = read.flatMap(([, reading]) => (reading.kind === 'object' ? [reading.file] : []));
    const target = { customerId: task.customer_id, patientId: patient?.id ?? null };
    const classifyFile = await createClassifier(transaction, target, objects);
    const outcomes = read.map((one) => outcomeOf(one, patient, classifyFile));
    await settleFiles(transaction, ['received'], outcomes);
    return outcomes;
  });

/** Writes the parse results together; one by one when the database rejects the values of one of them. */
const settleAll = async (
  parsing: Pick<Parsing, 'db' | 'onSettled'>,
  taskId: string,
  read: readonly Read[],
): Promise<void> => {
  const { db, onSettled } = parsing;
  try {
    const outcomes = await settle(db, taskId, read);
    // The others are settled by the import.
    onSettled?.(outcomes.filter(({ status }) => status === 'refused' || status === 'ignored'));
  } catch (error) {
    const { problem, detail } = fileErrorOf(error);
    const [only, ...others] = read;
    if (!only) return;
    if (others.length > 0) {
      for (const one of read) await settleAll(parsing, taskId, [one]);
      return;
    }
    const refused = [{ id: only[0].id, status: 'refused', problem, detail }] as const;
    await settleFiles(db, ['received'], refused);
    onSettled?.(refused);
  }
};

/**
 * Reads a batch of files and writes each result to the ledger: parsed (with all that the import needs), duplicate, ignored or refused. A
 * broken file does not affect others; one that crashes the process is detected by the decoder pool (server/dicom/crash-marks.ts). With zips
 * deferred, returns the ids of zips, which are unpacked later, and of files whose bytes are missing.
 * @throws Stopped; the reason of the signal; errors that do not concern the files, such as an unavailable database
 */
export const readFiles = async (
  parsing: Parsing,
  task: ImportTaskRow,
  rows: readonly ImportFileRow[],
  { signal, onRead, zips }: { signal: AbortSignal; onRead: () => Promise<void>; zips: 'deferred' | 'rejected' },
): Promise<readonly string[]> => {
  const { reading, parallelFiles } = parsing;
  const read: Read[] = [];
  await inParallel(rows, parallelFiles, async (row) => {
    signal.throwIfAborted();
    read.push([row, await readReceivedFile(reading, row)]);
    await onRead();
  });
  const isDeferred = ([, { kind }]: Read) => zips === 'deferred' && (kind === 'zip' || kind === 'missing');
  const isWithinGracePeriod = ([, { kind }]: Read) => kind === 'missing' && isWithinGrace(reading, task);
  await settleAll(
    parsing,
    task.id,
    read.filter((one) => !isDeferred(one) && !isWithinGracePeriod(one)),
  );
  const left = read.filter(isDeferred);
  const missing = read.filter(isWithinGracePeriod).length;
  if (zips === 'rejected' && missing > 0) throw missingBytes(missing);
  return left.map(([row]) => row.id);
};
