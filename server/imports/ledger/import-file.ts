import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../db/schema.ts';
import { restoreImage } from '../../db/stores/images.ts';
import { findImportStudy } from '../../db/stores/import-studies.ts';
import { type ImportFileRow, type ImportTaskRow, settleFile } from '../../db/stores/imports.ts';
import { findPatient, type PatientRow } from '../../db/stores/patients.ts';
import { derivedUid } from '../read/derived-uid.ts';
import { type ParsedFile, parsedFile } from '../read/parsed-file.ts';
import { pictureObject, type Reading } from '../read/read-file.ts';
import { RefusedFile } from '../read/refused-file.ts';
import { FiledMeanwhile, fileObject } from './file-object.ts';
import { judge } from './judge.ts';

const attempts = 3;

const localDate = (moment: Date): string => moment.toLocaleDateString('sv-SE');

const readPicture = z.object({ kind: z.literal('picture'), acquiredAt: z.string().nullable() });

/** The object of a file: as parsing found it, or made of the picture that it is. */
const objectOf = async (
  reading: Reading,
  task: ImportTaskRow,
  patient: PatientRow,
  row: ImportFileRow,
): Promise<ParsedFile> => {
  const picture = readPicture.safeParse(row.summary);
  if (!picture.success) return parsedFile.parse(row.summary);
  return await pictureObject(reading, row, patient, {
    studyUid: derivedUid('study', task.id),
    studyDate: localDate(task.created_at),
    studyDescription: '',
    acquiredAt: picture.data.acquiredAt,
  });
};

/**
 * Takes one parsed file into the archive: its rows and what became of it in one transaction, so that after a crash the file is either
 * imported and says so, or is imported again. Returns whether the archive holds its object now.
 */
export const importFile = async (
  { db, reading }: { readonly db: Kysely<Schema>; readonly reading: Reading },
  task: ImportTaskRow,
  row: ImportFileRow,
): Promise<boolean> => {
  const study = await findImportStudy(db, task.id, row.study_key ?? '');
  const patient = study?.patient_id ? await findPatient(db, study.patient_id) : undefined;
  if (!patient) throw new RefusedFile('storage-failed', 'the patient of this import is not there any more');
  return await takeIn(db, task, patient, row, await objectOf(reading, task, patient, row));
};

const takeIn = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  patient: PatientRow,
  row: ImportFileRow,
  file: ParsedFile,
  attempt = 1,
): Promise<boolean> => {
  try {
    return await db.transaction().execute(async (transaction) => {
      const verdict = await judge(transaction, { customer_id: task.customer_id, patient_id: patient.id }, file);
      if (verdict.kind === 'refused') {
        const { problem, detail } = verdict;
        await settleFile(transaction, row.id, 'parsed', { status: 'refused', problem, detail });
        return false;
      }
      if (verdict.kind === 'duplicate') {
        await restoreImage(transaction, verdict.imageId);
        await settleFile(transaction, row.id, 'parsed', { status: 'duplicate', image_id: verdict.imageId });
        return true;
      }
      const filing = { customerId: task.customer_id, patientId: patient.id, fileName: row.file_name };
      const imageId = await fileObject(transaction, filing, file);
      const settled = await settleFile(transaction, row.id, 'parsed', {
        status: 'imported',
        image_id: imageId,
        modality: file.modality,
      });
      if (!settled) throw new FiledMeanwhile();
      return true;
    });
  } catch (error) {
    if (error instanceof FiledMeanwhile && attempt < attempts) return takeIn(db, task, patient, row, file, attempt + 1);
    throw error;
  }
};
