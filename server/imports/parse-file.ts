import type { Kysely } from 'kysely';
import type { NamedPatient } from '../../contract/imports.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Schema } from '../db/schema.ts';
import { type ImportFileRow, type ImportTaskRow, settleFile } from '../db/stores/imports.ts';
import { findPatient, type PatientRow } from '../db/stores/patients.ts';
import type { Imaging, Inspection } from '../dicom/imaging.ts';
import { personalNumberKey } from '../resource/personal-number.ts';
import { type FileStore, StorageFault } from '../storage/file-store.ts';
import { cleanText } from './clean-text.ts';
import { fileKind } from './file-kind.ts';
import { judge } from './judge.ts';
import { matchPatient } from './match-patient.ts';
import type { ParsedFile } from './parsed-file.ts';
import { makePictureObject } from './picture-object.ts';
import { readObject } from './read-object.ts';
import { RefusedFile, refusalOf } from './refused-file.ts';

export interface Parsing {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly imaging: Imaging;
  /** A decoder failed in a way that it should not: for the log. */
  readonly onFailure: (error: unknown, taskId: string) => void;
  /** True when the server goes down: then a failing decoder says nothing about the file. */
  readonly isClosing: () => boolean;
}

interface Reading {
  readonly file: ParsedFile;
  readonly patient: NamedPatient;
  readonly inspection: Inspection;
}

const nobody: NamedPatient = { name: null, patientId: null, birthDate: null, sex: null, match: 'unknown' };

const namedBy = (inspection: Inspection, chosen: PatientRow): NamedPatient => {
  const written = inspection.summary?.patient;
  if (!written) return nobody;
  const named = {
    name: cleanText(written.name),
    patientId: cleanText(written.id),
    birthDate: written.birthDate,
    sex: written.sex,
  };
  const match = matchPatient(named, {
    firstName: chosen.first_name,
    lastName: chosen.last_name,
    birthDate: chosen.birth_date,
    personalNumberKey: personalNumberKey(chosen.personal_number, chosen.birth_date),
  });
  return { ...named, match };
};

/** Runs a decoder. Whatever it fails with is the fault of the file in hand, as long as the server is not going down. */
const decoding = async <T>(parsing: Parsing, taskId: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DicomProblem || error instanceof StorageFault || parsing.isClosing()) throw error;
    parsing.onFailure(error, taskId);
    throw new RefusedFile('decode-failed', 'the decoder failed on this file');
  }
};

const readDicom = async (
  parsing: Parsing,
  task: ImportTaskRow,
  row: ImportFileRow,
  path: string,
  chosen: PatientRow,
) => {
  const inspection = await decoding(parsing, task.id, () => parsing.imaging.inspect(path));
  const file = readObject(inspection, { sha256: row.sha256, sizeBytes: row.size_bytes }, task.id);
  return { file, patient: namedBy(inspection, chosen), inspection };
};

const readPicture = async (
  parsing: Parsing,
  task: ImportTaskRow,
  row: ImportFileRow,
  path: string,
  chosen: PatientRow,
): Promise<Reading> => {
  const { imaging, files } = parsing;
  const bytes = await decoding(parsing, task.id, () => makePictureObject(imaging, path, chosen, task, row.sha256));
  const stored = await files.put(
    (async function* () {
      yield bytes;
    })(),
  );
  const objectPath = await files.localPath(stored.sha256);
  const inspection = await decoding(parsing, task.id, () => imaging.inspect(objectPath));
  const file = readObject(inspection, stored, task.id);
  return { file: { ...file, originalSha256: row.sha256, source: 'picture' }, patient: nobody, inspection };
};

const read = async (parsing: Parsing, task: ImportTaskRow, row: ImportFileRow): Promise<Reading> => {
  const chosen = await findPatient(parsing.db, task.patient_id);
  if (!chosen) throw new RefusedFile('storage-failed', 'the patient of this import is not there any more');
  const path = await parsing.files.localPath(row.sha256);
  const kind = await fileKind(path);
  if (kind === 'empty') throw new RefusedFile('empty', 'the file has no bytes');
  if (kind === 'zip') throw new RefusedFile('not-dicom', 'this is a zip archive; unpack it and drop the folder');
  return (kind === 'picture' ? readPicture : readDicom)(parsing, task, row, path, chosen);
};

/**
 * Reads one received file and writes into the ledger what it is: parsed (with all that the import needs), duplicate, or refused.
 * A broken file harms no other.
 * @throws what has nothing to do with the file, such as a database that is away
 */
export const parseFile = async (parsing: Parsing, task: ImportTaskRow, row: ImportFileRow): Promise<void> => {
  const { db } = parsing;
  try {
    const { file, patient, inspection } = await read(parsing, task, row);
    const found = { summary: file, namedPatient: patient, modality: file.modality };
    const verdict = await judge(db, task, file);
    if (verdict.kind === 'refused') {
      const { problem, detail } = verdict;
      await settleFile(db, row.id, 'received', { ...found, status: 'refused', problem, detail });
    } else if (verdict.kind === 'duplicate') {
      await settleFile(db, row.id, 'received', { ...found, status: 'duplicate', image_id: verdict.imageId });
    } else {
      // Kept all the same, see readObject.
      const [undecodable] = inspection.problems;
      const remark = undecodable && { problem: 'transfer-syntax-unsupported', detail: undecodable.detail };
      await settleFile(db, row.id, 'received', { ...found, ...remark, status: 'parsed' });
    }
  } catch (error) {
    const { problem, detail } = refusalOf(error);
    await settleFile(db, row.id, 'received', { status: 'refused', problem, detail });
  }
};
