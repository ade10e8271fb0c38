import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { GradeSummary } from '../../../contract/grade-summary.ts';
import type { ImageGradeTable } from '../grade-table.ts';
import type { Schema } from '../schema.ts';

export type GradeRow = Selectable<ImageGradeTable>;

/** The newest grade of an image, for a query of images; null when it was never graded. */
export const newestGrade = sql<GradeSummary | null>`(
  select jsonb_build_object('version', grading.version, 'grade', grading.grade, 'reason', grading.reason)
  from image_grade as grading where grading.image_id = image.id order by grading.version desc limit 1)`;

/** Ids of the images whose newest grade is N. */
export const notAcceptableImages = sql`(
  select image_id from image_grade as grading where grading.grade = 'N' and not exists (
    select from image_grade as later where later.image_id = grading.image_id and later.version > grading.version))`;

/** Returns all grades of an image, newest first. */
export const gradeVersions = (db: Kysely<Schema>, imageId: string): Promise<GradeRow[]> =>
  db.selectFrom('image_grade').selectAll().where('image_id', '=', imageId).orderBy('version', 'desc').execute();

export interface Grading extends Pick<GradeRow, 'grade' | 'reason' | 'text' | 'operator' | 'is_cephalometric'> {
  readonly imageId: string;
  readonly accountId: string;
}

/**
 * Inserts the grade after `version` and returns it; null when another one was saved meanwhile. The same grade by the same account counts as
 * saved: its first reply was lost.
 */
export const insertGrade = async (
  transaction: Transaction<Schema>,
  { imageId, accountId, ...grading }: Grading,
  version: number,
): Promise<GradeRow | null> => {
  const { grade, reason, text, operator, is_cephalometric } = grading;
  await sql`
    insert into image_grade (image_id, version, grade, reason, text, operator, is_cephalometric, author_id, author_name)
    select ${imageId}::uuid, ${version + 1}::integer, ${grade}, ${reason}, ${text}, ${operator}, ${is_cephalometric}::boolean,
      account.id, account.first_name || ' ' || account.last_name
    from account where account.id = ${accountId}
      and (select coalesce(max(version), 0) from image_grade where image_id = ${imageId}) = ${version}::integer
    on conflict do nothing`.execute(transaction);
  const saved = await transaction
    .selectFrom('image_grade')
    .selectAll()
    .where('image_id', '=', imageId)
    .where('version', '=', version + 1)
    .where('grade', 'is not distinct from', grade)
    .where('reason', 'is not distinct from', reason)
    .where('text', '=', text)
    .where('author_id', '=', accountId)
    .executeTakeFirst();
  return saved ?? null;
};
