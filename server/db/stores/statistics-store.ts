import { type Kysely, sql } from 'kysely';
import { type Statistics, statisticsWeeks } from '../../../contract/statistics.ts';
import type { Schema } from '../schema.ts';
import { countQuick } from './statistics-counting.ts';

/** Scope: one clinic, or all that are not deleted. */
export type StatisticsScope =
  | { readonly customerId: string }
  /** `superAdministrators`: whether these users, who belong to no clinic, are counted. */
  | { readonly superAdministrators: boolean };

/** Subtracts the few deleted ones, so that an index-only scan suffices for the rest. */
const isOpen = sql`(customer_id is not null and customer_id not in (select customer.id from customer where customer.deleted_at is not null))`;

const clinicsIn = (scope: StatisticsScope) =>
  'customerId' in scope ? sql`customer_id = ${scope.customerId} and ${isOpen}` : isOpen;

const usersIn = (scope: StatisticsScope) =>
  'customerId' in scope || !scope.superAdministrators ? clinicsIn(scope) : sql`(customer_id is null or ${isOpen})`;

const clinicsOf = async (db: Kysely<Schema>, scope: StatisticsScope): Promise<number> => {
  if ('customerId' in scope) return 1;
  const counted = db.selectFrom('customer').where('deleted_at', 'is', null);
  const { clinics } = await counted.select(({ fn }) => fn.countAll<number>().as('clinics')).executeTakeFirstOrThrow();
  return clinics;
};

const usersOf = async (db: Kysely<Schema>, scope: StatisticsScope): Promise<Statistics['users']> => {
  const { rows } = await sql<{ active: number; inactive: number }>`
    select count(*) filter (where is_active) as active, count(*) filter (where not is_active) as inactive
    from account where deleted_at is null and ${usersIn(scope)}`.execute(db);
  const { active = 0, inactive = 0 } = rows[0] ?? {};
  return { active, inactive, total: active + inactive };
};

type Counted = Pick<Statistics, 'patients' | 'studies' | 'images'>;

const totalsOf = async (db: Kysely<Schema>, scope: StatisticsScope): Promise<Counted> => {
  const { rows } = await sql<Counted>`
    select coalesce(sum(patients), 0)::int as patients, coalesce(sum(studies), 0)::int as studies, coalesce(sum(images), 0)::int as images
    from statistics_total where ${clinicsIn(scope)}`.execute(db);
  return rows[0] ?? { patients: 0, studies: 0, images: 0 };
};

const weeklyOf = async (db: Kysely<Schema>, scope: StatisticsScope, now: Date): Promise<Statistics['weekly']> => {
  const current = sql`stockholm_week(${now}::timestamptz)`;
  const first = sql`${current} - ${7 * (statisticsWeeks - 1)}::int`;
  const { rows } = await sql<Statistics['weekly'][number]>`
    select monday::date as week, coalesce(patients, 0) as patients, coalesce(studies, 0) as studies, coalesce(images, 0) as images
    from generate_series((${first})::timestamp, ${current}::timestamp, interval '1 week') as monday
    left join (
      select week, sum(patients)::int as patients, sum(studies)::int as studies, sum(images)::int as images
      from statistics_week where week between ${first} and ${current} and ${clinicsIn(scope)} group by week
    ) as counted on counted.week = monday::date
    order by monday`.execute(db);
  return rows;
};

/** Returns the current numbers; a week with too many imports to count quickly may lag by one run. */
export const statisticsOf = async (
  db: Kysely<Schema>,
  scope: StatisticsScope,
  now = new Date(),
): Promise<Statistics> => {
  await countQuick(db);
  const [clinics, users, totals, weekly] = await Promise.all([
    clinicsOf(db, scope),
    usersOf(db, scope),
    totalsOf(db, scope),
    weeklyOf(db, scope, now),
  ]);
  return { clinics, users, ...totals, weekly };
};
