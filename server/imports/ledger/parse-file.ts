import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { type ImportFileRow, type ImportTaskRow, settleFile } from '../../db/stores/imports.ts';
import { findPatient } from '../../db/stores/patients.ts';
import { type Reading, readReceivedFile, type WrittenPatient } from '../read/read-file.ts';
import { judge } from './judge.ts';
import { matchOf } from './match-patient.ts';

const nobody: WrittenPatient = { name: null, patientId: null, birthDate: null, sex: null };

/**
 * Reads one received file and writes into the ledger what it is: parsed (with all that the import needs), duplicate, or refused.
 * A broken file harms no other.
 * @throws what has nothing to do with the file, such as a database that is away
 */
export const parseFile = async (
  { db, reading }: { readonly db: Kysely<Schema>; readonly reading: Reading },
  task: ImportTaskRow,
  row: ImportFileRow,
): Promise<void> => {
  const read = await readReceivedFile(reading, row);
  if (read.kind === 'refused') {
    const { problem, detail } = read;
    await settleFile(db, row.id, 'received', { status: 'refused', problem, detail });
    return;
  }
  if (read.kind === 'directory') {
    const detail = 'this is the index of a disc; the images themselves are imported';
    await settleFile(db, row.id, 'received', { status: 'ignored', problem: 'media-directory', detail });
    return;
  }
  if (read.kind === 'zip') {
    const detail = 'a zip within this import is not unpacked';
    await settleFile(db, row.id, 'received', { status: 'refused', problem: 'too-deep', detail });
    return;
  }
  if (read.kind === 'picture') {
    const found = { summary: read, namedPatient: { ...nobody, match: 'unknown' }, study_key: 'pictures' };
    await settleFile(db, row.id, 'received', { ...found, status: 'parsed' });
    return;
  }
  const { file, named, remark } = read;
  const chosen = task.patient_id === null ? undefined : await findPatient(db, task.patient_id);
  const match = chosen && named ? matchOf(named, chosen) : 'unknown';
  const namedPatient = { ...(named ?? nobody), match };
  const found = { summary: file, namedPatient, modality: file.modality, study_key: file.studyUid };
  const verdict = await judge(db, { customer_id: task.customer_id, patient_id: task.patient_id }, file);
  if (verdict.kind === 'refused') {
    const { problem, detail } = verdict;
    await settleFile(db, row.id, 'received', { ...found, status: 'refused', problem, detail });
  } else if (verdict.kind === 'duplicate') {
    await settleFile(db, row.id, 'received', { ...found, status: 'duplicate', image_id: verdict.imageId });
  } else {
    await settleFile(db, row.id, 'received', { ...found, ...remark, status: 'parsed' });
  }
};
