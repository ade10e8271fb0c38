import { type Kysely, type Selectable, sql } from 'kysely';
import { type AccessPattern, accessPatterns } from '../../../contract/access-log.ts';
import type { ReviewOutcome, reviewStates } from '../../../contract/log-reviews.ts';
import type { ListLanguage } from '../../domain/list-language.ts';
import { inListOrder } from '../list-order.ts';
import type { LogReviewTable } from '../log-review-table.ts';
import type { Schema } from '../schema.ts';
import { type AccessFilter, accessConditions } from './access-filter.ts';

export type LogReviewRow = Selectable<LogReviewTable>;

const nameOf = (column: 'account_id' | 'reviewer_id' | 'created_by' | 'closed_by') =>
  sql<
    string | null
  >`(select first_name || ' ' || last_name from account where account.id = ${sql.ref(`log_review.${column}`)})`;

const reviewsWithNames = (db: Kysely<Schema>) =>
  db
    .selectFrom('log_review')
    .selectAll('log_review')
    .select([
      nameOf('account_id').as('account_name'),
      nameOf('reviewer_id').as('reviewer_name'),
      nameOf('created_by').as('creator_name'),
      nameOf('closed_by').as('closer_name'),
    ]);
export type NamedReviewRow = Awaited<ReturnType<typeof logReview>>;

/** Returns a review with the names of its users, also of deleted ones. */
export const logReview = (db: Kysely<Schema>, id: string) =>
  reviewsWithNames(db).where('log_review.id', '=', id).executeTakeFirst();

interface ReviewsRequest {
  readonly customerId: string;
  /** The caller. */
  readonly accountId: string;
  readonly state: (typeof reviewStates)[number];
  readonly page: number;
  readonly ppage: number;
}

/** Returns reviews of a clinic, the caller's open ones first, then the newest. */
export const logReviews = async (db: Kysely<Schema>, { customerId, accountId, state, page, ppage }: ReviewsRequest) => {
  const conditions = [
    sql`log_review.customer_id = ${customerId}::uuid`,
    state === 'closed' ? sql`log_review.closed_at is not null` : sql`log_review.closed_at is null`,
    ...(state === 'own' ? [sql`log_review.reviewer_id = ${accountId}::uuid`] : []),
  ];
  const where = sql<boolean>`${sql.join(conditions, sql` and `)}`;
  const { count } = await db
    .selectFrom('log_review')
    .where(where)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await reviewsWithNames(db)
    .where(where)
    .orderBy(sql`log_review.closed_at is null and log_review.reviewer_id = ${accountId}::uuid`, 'desc')
    .orderBy('closed_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('log_review.id')
    .limit(ppage)
    .offset((page - 1) * ppage)
    .execute();
  return { rows, totalCount: Number(count) };
};

type NewReview = Pick<
  LogReviewRow,
  'id' | 'customer_id' | 'account_id' | 'from_day' | 'to_day' | 'reason' | 'reviewer_id' | 'created_by'
>;

/** Inserts reviews and returns their ids. Skips users who already have a review of the same period. */
export const addLogReviews = async (db: Kysely<Schema>, reviews: readonly NewReview[]): Promise<string[]> => {
  if (reviews.length === 0) return [];
  const open = { outcome: null, comment: null, closed_by: null, closed_at: null };
  const rows = await db
    .insertInto('log_review')
    .values(reviews.map((review) => ({ ...review, ...open })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
};

/** Assigns an open review. Returns false when it is closed. */
export const assignLogReview = async (db: Kysely<Schema>, id: string, reviewerId: string): Promise<boolean> => {
  const row = await db
    .updateTable('log_review')
    .set({ reviewer_id: reviewerId })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

/** Closes an open review of this reviewer. Returns false when it is closed or assigned to another user. */
export const closeLogReview = async (
  db: Kysely<Schema>,
  id: string,
  reviewerId: string,
  result: { readonly outcome: ReviewOutcome; readonly comment: string },
): Promise<boolean> => {
  const row = await db
    .updateTable('log_review')
    .set({ ...result, closed_by: reviewerId, closed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('reviewer_id', '=', reviewerId)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

/** Returns the active users of a clinic who may read its log, and the caller, by name. */
export const reviewersOf = async (
  db: Kysely<Schema>,
  customerId: string,
  callerId: string,
  language: ListLanguage,
): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('account')
    .innerJoin('role', 'role.id', 'account.role_id')
    .select(['account.id', sql<string>`account.first_name || ' ' || account.last_name`.as('name')])
    .where('account.deleted_at', 'is', null)
    .where('account.is_active', '=', true)
    .where(
      sql<boolean>`(account.id = ${callerId}::uuid or (account.customer_id = ${customerId}::uuid and 'user.get' = any(role.claims)))`,
    )
    .orderBy(inListOrder(sql`account.name_key`, language))
    .orderBy('account.id')
    .execute();

const whereOf = (filter: AccessFilter) => sql.join(accessConditions(filter), sql` and `);

/** Returns the users who opened patients of the clinic in the period and have no review of it, by id. */
export const usersToReview = async (
  db: Kysely<Schema>,
  { from, to, customerId }: { readonly from: string; readonly to: string; readonly customerId: string },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct entry.account_id as id from access_log as entry
    where ${whereOf({ from, to, customerId, action: 'patient.opened' })} and entry.account_id is not null
      and not exists (select from service_account where service_account.id = entry.account_id)
      and not exists (select from dicom_device where dicom_device.id = entry.account_id)
      and not exists (select from log_review where log_review.customer_id = ${customerId}::uuid
        and log_review.account_id = entry.account_id and from_day = ${from}::date and to_day = ${to}::date)
    order by 1`.execute(db);
  return rows.map(({ id }) => id);
};

/** Returns whether an account is a user of the clinic, or a user whose access is in its log. */
export const isUserOfLog = async (db: Kysely<Schema>, customerId: string, accountId: string): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from account where id = ${accountId}::uuid and customer_id = ${customerId}::uuid)
      or exists (select from access_log where account_id = ${accountId}::uuid and customer_id = ${customerId}::uuid
        and not exists (select from service_account where service_account.id = access_log.account_id)
        and not exists (select from dicom_device where dicom_device.id = access_log.account_id))
      as found`.execute(db);
  return rows[0]?.found ?? false;
};

/** Counts the patients and images that a user opened, and the entries of each pattern. */
export const reviewCountsOf = async (db: Kysely<Schema>, filter: AccessFilter) => {
  const { rows } = await sql<{ patients: number; images: number }>`
    select count(distinct entry.patient_id) filter (where entry.action = 'patient.opened')::int as patients,
      count(*) filter (where entry.action = 'image.opened')::int as images
    from access_log as entry where ${whereOf(filter)}`.execute(db);
  const countOf = async (pattern: AccessPattern) => {
    const found = await sql<{ count: number }>`
      select count(*)::int as count from access_log as entry where ${whereOf({ ...filter, pattern })}`.execute(db);
    return [pattern, found.rows[0]?.count ?? 0] as const;
  };
  const patterns = Object.fromEntries(await Promise.all(accessPatterns.map(countOf))) as Record<AccessPattern, number>;
  return { patients: rows[0]?.patients ?? 0, images: rows[0]?.images ?? 0, patterns };
};
