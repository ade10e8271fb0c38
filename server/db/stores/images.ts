import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { Display } from '../../../contract/displays.ts';
import type { GradeSummary } from '../../../contract/grade-summary.ts';
import type { FileError } from '../../../contract/images.ts';
import type { NoteSummary } from '../../../contract/notes.ts';
import type { ImageTable, Schema } from '../schema.ts';
import { newestGrade } from './grades.ts';
import type { ImportStudyRow } from './import-studies.ts';
import { newestNote } from './notes.ts';
import { recountLastStudy } from './patients.ts';
import { fileErrorOfImage, isListed, viewsetOfImage, visibleImages } from './visible-images.ts';

/** An image with columns of its study and series. */
export type ImageRow = Selectable<ImageTable> & {
  patient_id: string;
  study_id: string;
  study_uid: string;
  series_uid: string;
  modality: string;
  series_description: string | null;
  /** The viewset in which it is mounted, if any. */
  viewset_id: string | null;
  /** Its display settings outside any viewset. */
  display: Display | null;
  display_version: number | null;
  file_error: FileError | null;
  note: NoteSummary | null;
  grade: GradeSummary | null;
};

const withContext = (db: Kysely<Schema>) =>
  visibleImages(db)
    .leftJoin('image_display', (join) =>
      join.onRef('image_display.image_id', '=', 'image.id').on('image_display.viewset_id', 'is', null),
    )
    .selectAll('image')
    .select(['image_display.display as display', 'image_display.version as display_version'])
    .select([
      'study.patient_id as patient_id',
      'study.id as study_id',
      'study.uid as study_uid',
      'series.uid as series_uid',
      'series.modality as modality',
      'series.description as series_description',
    ])
    .select(viewsetOfImage.as('viewset_id'))
    .select(fileErrorOfImage.as('file_error'))
    .select([newestNote('image').as('note'), newestGrade.as('grade')]);

/** Returns the images and documents of several studies in one query, by series, then instance number, then arrival. */
export const imagesOfStudies = async (db: Kysely<Schema>, studyIds: readonly string[]): Promise<ImageRow[]> => {
  if (studyIds.length === 0) return [];
  return withContext(db)
    .where('series.study_id', 'in', studyIds)
    .where(isListed)
    .orderBy('image.series_id')
    .orderBy('image.number', (order) => order.asc().nullsLast())
    .orderBy('image.created_at')
    .orderBy('image.id')
    .execute();
};

export const findImage = (db: Kysely<Schema>, id: string): Promise<ImageRow | undefined> =>
  withContext(db).where('image.id', '=', id).executeTakeFirst();

/** Returns the images of a clinic with these SOP Instance UIDs and their patients, including deleted ones. */
export const findBySopInstances = async (db: Kysely<Schema>, customerId: string, uids: readonly string[]) => {
  if (uids.length === 0) return [];
  return db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select(['image.id', 'image.sop_instance_uid', 'image.sha256', 'image.original_sha256', 'study.patient_id'])
    .select(sql<boolean>`coalesce(image.deleted_at, series.deleted_at, study.deleted_at) is not null`.as('is_binned'))
    .where('image.customer_id', '=', customerId)
    .where('image.sop_instance_uid', 'in', uids)
    .execute();
};

/** Returns the SOP Instance UIDs of all images of all clinics, including deleted ones. */
export const sopInstancesOfArchive = async (db: Kysely<Schema>): Promise<string[]> => {
  const rows = await db.selectFrom('image').select('sop_instance_uid').execute();
  return rows.map((row) => row.sop_instance_uid);
};

/** Inserts images in one statement. False when the clinic already has one of these SOP Instance UIDs: then the transaction must be rolled back. */
export const insertImages = async (db: Kysely<Schema>, rows: readonly Insertable<ImageTable>[]): Promise<boolean> => {
  if (rows.length === 0) return true;
  const inserted = await db
    .insertInto('image')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return inserted.length === rows.length;
};

/** Restores an image with its series and study, because a user imported it again. */
export const restoreImage = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('image')
    .set({ deleted_at: null, deleted_by: null })
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .execute();
  const { seriesId, studyId, patientId } = await db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select(['series.id as seriesId', 'study.id as studyId', 'study.patient_id as patientId'])
    .where('image.id', '=', id)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('series')
    .set({ deleted_at: null, deleted_by: null })
    .where('id', '=', seriesId)
    .where('deleted_at', 'is not', null)
    .execute();
  const study = await db
    .updateTable('study')
    .set({ deleted_at: null, deleted_by: null })
    .where('id', '=', studyId)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (study) await recountLastStudy(db, patientId);
};

/** Returns the images that the files of an import study became or duplicate. */
export const imagesOfImportStudy = (
  db: Kysely<Schema>,
  study: Pick<ImportStudyRow, 'task_id' | 'key' | 'patient_id'>,
) =>
  db
    .selectFrom('import_file')
    .innerJoin('image', 'image.id', 'import_file.image_id')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select(['import_file.id', 'image.id as imageId', 'image.kind'])
    .where('import_file.task_id', '=', study.task_id)
    .where('import_file.study_key', '=', study.key)
    .where('import_file.status', 'in', ['imported', 'duplicate'])
    .where('study.patient_id', '=', study.patient_id)
    .execute();
