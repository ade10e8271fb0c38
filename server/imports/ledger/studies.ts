import type { Kysely } from 'kysely';
import { z } from 'zod';
import { writtenPatient } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { type FoundFiles, type FoundStudy, foundInTask, type ImportStudyRow } from '../../db/stores/import-studies.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import type { WrittenPatient } from '../read/read-file.ts';
import { areSeveral, candidatesFor } from './candidates.ts';
import { orderedPatient } from './ordered-patient.ts';

/** `import_study.key` of pictures. */
export const picturesKey = 'pictures';

const writtenPatients = z.array(writtenPatient);

/** Returns the patients named in the files of a study, most frequent first. */
export const namedIn = (row: Pick<ImportStudyRow, 'named_patient'>): readonly WrittenPatient[] =>
  writtenPatients.parse(row.named_patient ?? []);

/** Default patient of a study: the one of the import, the one for whom it was ordered, else the only one whom its files name unambiguously. */
const defaultPatient = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  key: string,
  named: readonly WrittenPatient[],
  namesSeveral: boolean,
): Promise<string | null> => {
  if (task.patient_id !== null) return task.patient_id;
  const ordered = await orderedPatient(db, task, key, named);
  if (ordered !== undefined) return ordered?.id ?? null;
  const [first] = named;
  if (!first || namesSeveral) return null;
  const same = (await candidatesFor(db, task.customer_id, first)).filter(({ match }) => match === 'same');
  return same.length === 1 ? (same[0]?.patient.id ?? null) : null;
};

const studyOf = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  key: string,
  files: readonly FoundFiles[],
): Promise<FoundStudy> => {
  const named = files.flatMap((one) => one.named ?? []);
  const namesSeveral = areSeveral(named);
  return {
    key,
    kind: key === picturesKey ? 'static' : 'dicom',
    description: files.find((one) => one.description)?.description ?? '',
    studyDate: files.map((one) => one.study_date).find((date) => date !== null) ?? null,
    modalities: [...new Set(files.flatMap((one) => one.modalities))].sort(),
    named,
    namesSeveral,
    patientId: await defaultPatient(db, task, key, named, namesSeveral),
    leftOut: false,
  };
};

/** Returns the studies of a task's files with their default patients. Reads only. */
export const findStudies = async (db: Kysely<Schema>, task: ImportTaskRow): Promise<FoundStudy[]> => {
  const studies: FoundStudy[] = [];
  for (const [key, files] of Map.groupBy(await foundInTask(db, task.id), (one) => one.key))
    studies.push(await studyOf(db, task, key, files));
  return studies;
};
