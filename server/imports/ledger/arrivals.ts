import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../db/schema.ts';
import type { ImportStudyRow } from '../../db/stores/import-studies.ts';
import type { ImportFileRow, ImportTaskRow } from '../../db/stores/imports.ts';
import type { PatientRow } from '../../db/stores/patients.ts';
import { derivedUid } from '../read/derived-uid.ts';
import { type ParsedFile, parsedFile } from '../read/parsed-file.ts';
import type { PicturePlace } from '../read/picture-object.ts';
import { pictureObject, type Reading } from '../read/read-file.ts';
import { RefusedFile } from '../read/refused-file.ts';
import type { Arrival } from './take-in.ts';

const readPicture = z.object({ kind: z.literal('picture'), acquiredAt: z.string().nullable() });

const localDate = (moment: Date): string => moment.toLocaleDateString('sv-SE');

/** Where the pictures of an import go. */
export type Place = Omit<PicturePlace, 'acquiredAt'>;

/**
 * The study that a person chose for the pictures of an import, or the new one that they make.
 * @throws RefusedFile when the chosen one is not there any more
 */
export const placeOf = async (db: Kysely<Schema>, task: ImportTaskRow, row: ImportStudyRow): Promise<Place> => {
  if (row.study_uid === null)
    return {
      studyUid: derivedUid('study', task.id),
      studyDate: localDate(task.created_at),
      studyDescription: '',
    };
  const study = await db
    .selectFrom('study')
    .select(['uid', 'study_date', 'description'])
    .where('customer_id', '=', task.customer_id)
    .where('uid', '=', row.study_uid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!study) throw new RefusedFile('storage-failed', 'the chosen study is not there any more');
  return { studyUid: study.uid, studyDate: study.study_date, studyDescription: study.description };
};

const objectOf = async (
  reading: Reading,
  patient: PatientRow,
  row: ImportFileRow,
  place: Place | null,
): Promise<ParsedFile> => {
  const picture = readPicture.safeParse(row.summary);
  if (!picture.success || place === null) return parsedFile.parse(row.summary);
  return pictureObject(reading, row, patient, { ...place, acquiredAt: picture.data.acquiredAt });
};

/**
 * A file with the object that goes into the archive: what parsing found, or an object made of the picture that it is; its bytes are in the store.
 * @throws RefusedFile, DicomProblem, StorageFault
 */
export const arrivalOf = async (
  reading: Reading,
  patient: PatientRow,
  row: ImportFileRow,
  place: Place | null,
): Promise<Arrival> => {
  const file = await objectOf(reading, patient, row, place);
  if ((await reading.files.sizeOf(file.objectSha256)) !== file.objectSizeBytes) {
    throw new RefusedFile('storage-failed', 'the bytes that were received are not in the store any more');
  }
  return { row, file };
};
