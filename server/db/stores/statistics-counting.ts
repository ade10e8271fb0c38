import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { isListed } from './visible-images.ts';

/** Counting is serialized: a second caller finds nothing left to count. */
const lock = 4713;

/** Weeks with more images than this are not counted during a request. */
const quicklyCounted = 20_000;

const isQuick = sql<boolean>`not exists (
  select from statistics_week as known where known.customer_id = statistics_change.customer_id and known.week = statistics_change.week
  and known.images > ${quicklyCounted})`;

/**
 * Counts the marked weeks from the rows themselves. Marks of concurrent transactions remain for the next time.
 * @param only which marks
 */
const count = (only: ReturnType<typeof sql<boolean>>) => sql`
  with marks as (delete from statistics_change where ${only} returning customer_id, week),
  cells as (select distinct customer_id, week from marks),
  counted as materialized (
    select customer_id, week,
      (select count(*) from patient where patient.customer_id = cells.customer_id and stockholm_week(patient.entered_date) = cells.week
        and patient.deleted_at is null)::int as patients,
      (select count(*) from study join patient on patient.id = study.patient_id
        where study.customer_id = cells.customer_id and stockholm_week(study.created_at) = cells.week
        and study.deleted_at is null and patient.deleted_at is null)::int as studies,
      (select count(*) from image join series on series.id = image.series_id join study on study.id = series.study_id
        join patient on patient.id = study.patient_id
        where image.customer_id = cells.customer_id and stockholm_week(image.created_at) = cells.week
        and image.deleted_at is null and series.deleted_at is null and study.deleted_at is null and patient.deleted_at is null
        and ${isListed})::int as images
    from cells),
  differences as (
    select customer_id, sum(counted.patients - coalesce(known.patients, 0))::int as patients,
      sum(counted.studies - coalesce(known.studies, 0))::int as studies, sum(counted.images - coalesce(known.images, 0))::int as images
    from counted left join statistics_week as known using (customer_id, week) group by customer_id),
  totals as (
    insert into statistics_total as total select * from differences
    on conflict (customer_id) do update set patients = total.patients + excluded.patients, studies = total.studies + excluded.studies,
      images = total.images + excluded.images)
  insert into statistics_week select * from counted
  on conflict (customer_id, week) do update set patients = excluded.patients, studies = excluded.studies, images = excluded.images`;

const countWhere = async (db: Kysely<Schema>, only: ReturnType<typeof sql<boolean>>): Promise<void> => {
  const { rows } = await sql<{
    any: boolean;
  }>`select exists (select from statistics_change where ${only}) as any`.execute(db);
  if (!rows[0]?.any) return;
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction);
    await count(only).execute(transaction);
  });
};

/** Counts what is fast to count, so that the numbers are current. Weeks of a mass import are left to `countAll`. */
export const countQuick = (db: Kysely<Schema>): Promise<void> => countWhere(db, isQuick);

/** Counts all marked weeks, however long it takes. */
export const countAll = (db: Kysely<Schema>): Promise<void> => countWhere(db, sql<boolean>`true`);
