import { type Kysely, sql } from 'kysely';
import { inOrderOf } from '../list-page.ts';
import type { Schema } from '../schema.ts';

const studiesOf = (db: Kysely<Schema>, ids: readonly string[]) =>
  db
    .selectFrom('study')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .selectAll('study')
    .select(['patient.first_name', 'patient.last_name', 'patient.personal_number', 'patient.birth_date'])
    .select('patient.has_protected_identity')
    .select([
      sql<number>`(select count(*) from series join image on image.series_id = series.id
        where series.study_id = study.id and series.deleted_at is null and image.deleted_at is null and image.kind = 'image')`.as(
        'images',
      ),
      sql<string[]>`array(select distinct series.modality from series
        where series.study_id = study.id and series.deleted_at is null order by series.modality)`.as('modalities'),
    ])
    .where('study.id', 'in', [...ids])
    .where('study.deleted_at', 'is', null)
    .where('patient.deleted_at', 'is', null)
    .execute();
export type FoundStudyRow = Awaited<ReturnType<typeof studiesOf>>[number];

/** Returns studies with the list columns of themselves and their patients, in the order of `ids`. */
export const foundStudies = async (db: Kysely<Schema>, ids: readonly string[]): Promise<FoundStudyRow[]> =>
  ids.length === 0 ? [] : inOrderOf(ids, await studiesOf(db, ids));
