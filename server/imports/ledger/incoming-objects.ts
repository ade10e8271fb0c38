import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../db/schema.ts';
import type { ImportStudyRow } from '../../db/stores/import-studies.ts';
import type { ImportFileRow, ImportTaskRow } from '../../db/stores/imports.ts';
import type { PatientRow } from '../../db/stores/patients.ts';
import { findStudyToImportInto } from '../../db/stores/studies.ts';
import { derivedUid } from '../../domain/derived-uid.ts';
import { StorageError } from '../../storage/file-store.ts';
import { FileError } from '../read/file-error.ts';
import { type ParsedFile, parsedFile } from '../read/parsed-file.ts';
import type { PictureTarget } from '../read/picture-object.ts';
import { pictureObject, type Reading } from '../read/read-file.ts';
import type { IncomingObject } from './store-objects.ts';

const readForeign = z.object({ kind: z.enum(['picture', 'pdf', 'video']), acquiredAt: z.string().nullable() });

const localDate = (moment: Date): string => moment.toLocaleDateString('sv-SE');

/** The study that the pictures of an import go to. */
export type TargetStudy = Omit<PictureTarget, 'acquiredAt'>;

/**
 * Returns the study that the user chose for the pictures of an import, or a new one.
 * @throws FileError when the chosen study no longer exists
 */
export const targetStudyOf = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  row: ImportStudyRow,
): Promise<TargetStudy> => {
  if (row.study_uid === null)
    return {
      studyUid: derivedUid('study', task.id),
      studyDate: localDate(task.created_at),
      studyDescription: '',
    };
  const study = await findStudyToImportInto(db, task.customer_id, row.study_uid);
  if (!study) throw new FileError('storage-failed', 'the chosen study is not there any more');
  return { studyUid: study.uid, studyDate: study.study_date, studyDescription: study.description };
};

const objectOf = async (
  reading: Reading,
  patient: PatientRow,
  row: ImportFileRow,
  target: TargetStudy | null,
): Promise<ParsedFile> => {
  const foreign = readForeign.safeParse(row.summary);
  if (!foreign.success || target === null) return parsedFile.parse(row.summary);
  return pictureObject(reading, row, patient, { ...target, acquiredAt: foreign.data.acquiredAt });
};

/**
 * Returns a file with the object to archive: the parsed one, or one made of the picture, PDF or video. Its bytes are in the store.
 * @throws FileError, DicomProblem, StorageError
 */
export const incomingObjectOf = async (
  reading: Reading,
  patient: PatientRow,
  row: ImportFileRow,
  target: TargetStudy | null,
): Promise<IncomingObject> => {
  const file = await objectOf(reading, patient, row, target);
  const size = await reading.files.sizeOf(file.objectSha256);
  if (size === null) throw new StorageError('missing', 'The bytes of a received file are not in the store');
  if (size !== file.objectSizeBytes) throw new FileError('storage-failed', 'the store holds another number of bytes');
  return { row, file };
};
