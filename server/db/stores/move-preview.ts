import { createHash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Movable, MoveCounts } from '../../../contract/moves.ts';
import { derivedUid } from '../../domain/derived-uid.ts';
import type { Schema } from '../schema.ts';
import { importsOf, type PatientPair } from './lock-records.ts';
import { isListed } from './visible-images.ts';

/** One record to move to another patient; a series or image into the study `studyTo`, or into a new one. */
export interface Move extends PatientPair {
  readonly what: Movable;
  readonly id: string;
}

const within = (db: Kysely<Schema>) =>
  db
    .selectFrom('study')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .select(['study.customer_id', 'study.patient_id', 'study.id as study_id', 'study.uid as study_uid'])
    .select(['study.deleted_by', 'patient.deleted_by as patient_deleted_by'])
    .select(['study.version', sql<boolean>`patient.deleted_at is not null`.as('is_patient_deleted')]);

const finders = {
  study: (db: Kysely<Schema>, id: string) =>
    within(db)
      .select([sql<null>`null`.as('series_id'), 'study.deleted_at', sql<number>`0`.as('image_version')])
      .where('study.id', '=', id)
      .executeTakeFirst(),
  series: (db: Kysely<Schema>, id: string) =>
    within(db)
      .innerJoin('series', 'series.study_id', 'study.id')
      .select(['series.id as series_id', 'series.deleted_at', sql<number>`0`.as('image_version')])
      .where('study.deleted_at', 'is', null)
      .where('series.id', '=', id)
      .executeTakeFirst(),
  image: (db: Kysely<Schema>, id: string) =>
    within(db)
      .innerJoin('series', 'series.study_id', 'study.id')
      .innerJoin('image', 'image.series_id', 'series.id')
      .select(['series.id as series_id', 'image.deleted_at', 'image.version as image_version'])
      .where('study.deleted_at', 'is', null)
      .where('series.deleted_at', 'is', null)
      .where('image.id', '=', id)
      .executeTakeFirst(),
};

/** Returns a study, series or image with its location, deleted or not. Contents of a deleted study or series move with it. */
export const findToMove = (db: Kysely<Schema>, what: Movable, id: string) => finders[what](db, id);
export type RecordToMove = NonNullable<Awaited<ReturnType<typeof findToMove>>>;

/** The images that move, as a subquery, including deleted ones. */
const imagesOf = (db: Kysely<Schema>, { what, id }: Pick<Move, 'what' | 'id'>) => {
  const images = db.selectFrom('image').innerJoin('series', 'series.id', 'image.series_id').select('image.id');
  if (what === 'image') return images.where('image.id', '=', id);
  return what === 'series' ? images.where('series.id', '=', id) : images.where('series.study_id', '=', id);
};

const shownImagesOf = async (db: Kysely<Schema>, move: Move): Promise<number> => {
  const { images } = await db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .select(({ fn }) => fn.countAll<number>().as('images'))
    .where('image.id', 'in', imagesOf(db, move))
    .where(isListed)
    .where((where) => where.or([where('image.deleted_at', 'is', null), where('image.id', '=', move.id)]))
    .where((where) => where.or([where('series.deleted_at', 'is', null), where('series.id', '=', move.id)]))
    .executeTakeFirstOrThrow();
  return Number(images);
};

const viewsetsOf = async (db: Kysely<Schema>, { what, id }: Move): Promise<number> => {
  if (what !== 'study') return 0;
  const { viewsets } = await db
    .selectFrom('viewset')
    .select(({ fn }) => fn.countAll<number>().as('viewsets'))
    .where('study_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(viewsets);
};

/** Slots whose image moves without its viewset, or the reverse. */
const slotsOf = async (db: Kysely<Schema>, move: Move): Promise<number> => {
  const moves: RawBuilder<boolean> =
    move.what === 'study' ? sql<boolean>`(viewset.study_id = ${move.id})` : sql<boolean>`false`;
  const { slots } = await db
    .selectFrom('viewset_item')
    .innerJoin('viewset', 'viewset.id', 'viewset_item.viewset_id')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .innerJoin('image', 'image.id', 'viewset_item.image_id')
    .select(({ fn }) => fn.countAll<number>().as('slots'))
    .where('study.patient_id', '=', move.from)
    .where('viewset.deleted_at', 'is', null)
    .where('image.deleted_at', 'is', null)
    .where(sql<boolean>`(image.id in ${imagesOf(db, move)}) <> ${moves}`)
    .executeTakeFirstOrThrow();
  return Number(slots);
};

/** Import studies that will add files to the study, by key. */
export const importsOfStudy = async (
  db: Kysely<Schema>,
  patientId: string,
  studyUid: string,
): Promise<{ readonly taskId: string; readonly key: string; readonly isOpen: boolean }[]> => {
  const tasks = await importsOf(db, patientId).execute();
  if (tasks.length === 0) return [];
  const rows = await db
    .selectFrom('import_study')
    .select(['task_id', 'key', 'kind', 'study_uid'])
    .where('patient_id', '=', patientId)
    .where('task_id', '=', sql<string>`any(${tasks.map(({ id }) => id)}::uuid[])`)
    .orderBy('task_id')
    .orderBy('key')
    .execute();
  const uidOf = (row: (typeof rows)[number]) =>
    row.kind === 'dicom' ? row.key : (row.study_uid ?? derivedUid('study', row.task_id));
  return rows
    .filter((row) => uidOf(row) === studyUid)
    .map((row) => {
      const task = tasks.find(({ id }) => id === row.task_id);
      const isOpen = task !== undefined && task.step < importSteps.done && !task.cancelled;
      return { taskId: row.task_id, key: row.key, isOpen };
    });
};

/** Returns whether the study contains nothing else, deleted or not. */
const isAlone = async (db: Kysely<Schema>, move: Move, studyId: string): Promise<boolean> => {
  if (move.what === 'study') return false;
  const { rows } = await sql<{ others: boolean }>`select
    exists (select from viewset where study_id = ${studyId}) or
    exists (select from image join series on series.id = image.series_id
      where series.study_id = ${studyId} and image.id not in ${imagesOf(db, move)}) as others`.execute(db);
  return !rows[0]?.others;
};

/** Effects of a move, at this moment. */
export interface MoveNow {
  readonly record: RecordToMove;
  readonly counts: MoveCounts;
  readonly leavesEmptyStudy: boolean;
  /** Changes with anything that the preview shows. */
  readonly seen: string;
}

/** Undefined when the record is missing, or does not belong to the first patient. */
export const moveNow = async (db: Kysely<Schema>, move: Move): Promise<MoveNow | undefined> => {
  const { from, to } = move;
  const record = await findToMove(db, move.what, move.id);
  if (record?.patient_id !== from) return undefined;
  const patients = await db
    .selectFrom('patient')
    .select(['id', 'version', 'deleted_at'])
    .where('id', 'in', [from, to])
    .orderBy('id')
    .execute();
  const imports = move.what === 'study' ? await importsOfStudy(db, from, record.study_uid) : [];
  const counts = {
    images: await shownImagesOf(db, move),
    viewsets: await viewsetsOf(db, move),
    slots: await slotsOf(db, move),
    imports: imports.filter(({ isOpen }) => isOpen).length,
  };
  const leavesEmptyStudy = await isAlone(db, move, record.study_id);
  const shown = JSON.stringify([move, record, patients, counts, leavesEmptyStudy]);
  return { record, counts, leavesEmptyStudy, seen: createHash('sha256').update(shown).digest('base64url') };
};

/** Maximum number of headers read for a preview: files of one series usually name the same patient. */
const maxHeaders = 12;

/** Returns one stored DICOM file of each series that moves. A picture has no header. */
export const filesToName = async (db: Kysely<Schema>, move: Move): Promise<string[]> => {
  const rows = await db
    .selectFrom('image')
    .select('sha256')
    .distinctOn('series_id')
    .where('id', 'in', imagesOf(db, move))
    .where('source', '=', 'dicom')
    .orderBy('series_id')
    .orderBy('id')
    .limit(maxHeaders)
    .execute();
  return rows.map(({ sha256 }) => sha256);
};
