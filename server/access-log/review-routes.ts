import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import {
  type LogReview,
  logReviewClose,
  logReviewCreate,
  logReviewers,
  logReviewGet,
  logReviewList,
  logReviewTakeOver,
} from '../../contract/log-reviews.ts';
import { type Access, insertAccesses } from '../db/stores/access-log.ts';
import {
  addLogReviews,
  assignLogReview,
  closeLogReview,
  isUserOfLog,
  logReview,
  logReviews,
  type NamedReviewRow,
  reviewCountsOf,
  reviewersOf,
  usersToReview,
} from '../db/stores/log-reviews.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { AccessLogDependencies } from './dependencies.ts';
import { drawSample } from './draw-sample.ts';

const named = (id: string, name: string | null) => ({ id, name: name ?? '' });

const reviewOf = (row: NonNullable<NamedReviewRow>): LogReview => ({
  id: row.id,
  customerId: row.customer_id,
  account: named(row.account_id, row.account_name),
  from: row.from_day,
  to: row.to_day,
  reason: row.reason,
  reviewer: named(row.reviewer_id, row.reviewer_name),
  createdBy: named(row.created_by, row.creator_name),
  createdAt: row.created_at.toISOString(),
  closed:
    row.closed_at === null || row.outcome === null || row.closed_by === null
      ? null
      : {
          by: named(row.closed_by, row.closer_name),
          at: row.closed_at.toISOString(),
          outcome: row.outcome,
          comment: row.comment ?? '',
        },
});

const requireClinic = (principal: Principal, customerId: string): void => {
  if (!canUseClinic(principal, customerId)) throw new ProblemError('not-found');
};

const entryOf = ({ accountId }: Principal, customerId: string, action: Access['action'], objectId: string | null) => ({
  accountId,
  customerId,
  patientId: null,
  action,
  objectId,
});

/** Registers the routes by which the log is reviewed: who is checked by whom, and with what outcome. */
export const reviewRoutes = (server: FastifyInstance, { db, binding, accessLog }: AccessLogDependencies): void => {
  /** @throws ProblemError 'not-found' */
  const requireReview = async (principal: Principal, id: string): Promise<NonNullable<NamedReviewRow>> =>
    requireAccessible(principal, await logReview(db, id));

  bind(server, binding, logReviewList, async ({ principal, query }) => {
    requireClinic(principal, query.customerId);
    const { rows, totalCount } = await logReviews(db, { ...query, accountId: principal.accountId });
    await accessLog.note(entryOf(principal, query.customerId, 'log.read', null));
    return { data: rows.map(reviewOf), totalCount };
  });

  bind(server, binding, logReviewGet, async ({ principal, params }) => {
    const row = await requireReview(principal, params.id);
    const counts = await reviewCountsOf(db, {
      from: row.from_day,
      to: row.to_day,
      customerId: row.customer_id,
      accountId: row.account_id,
      seesProtected: seesProtected(principal),
    });
    await accessLog.note(entryOf(principal, row.customer_id, 'log.read', row.id));
    return { ...reviewOf(row), counts };
  });

  bind(server, binding, logReviewers, ({ principal, params: { customerId }, language }) => {
    requireClinic(principal, customerId);
    return reviewersOf(db, customerId, principal.accountId, language);
  });

  type NewReviews = z.output<NonNullable<typeof logReviewCreate.body>>;

  /** @throws ProblemError 'not-found' for users who may not review, or whom the log does not name */
  const usersOf = async (body: NewReviews, reviewerId: string): Promise<string[]> => {
    const { customerId, count, accountId } = body;
    if (accountId === undefined) {
      const users = await usersToReview(db, body);
      return drawSample(
        users.filter((id) => id !== reviewerId),
        count ?? 0,
      );
    }
    if (!(await isUserOfLog(db, customerId, accountId))) throw new ProblemError('not-found');
    return [accountId];
  };

  bind(server, binding, logReviewCreate, async ({ principal, body, language }) => {
    const { customerId, from, to, accountId, reviewerId = principal.accountId } = body;
    requireClinic(principal, customerId);
    const reviewers = await reviewersOf(db, customerId, principal.accountId, language);
    if (!reviewers.some(({ id }) => id === reviewerId)) throw new ProblemError('not-found');
    if (accountId === reviewerId) throw new ProblemError('own-account');
    const users = await usersOf(body, reviewerId);
    const reviews = users.map((id) => ({
      id: randomUUID(),
      customer_id: customerId,
      account_id: id,
      from_day: from,
      to_day: to,
      reason: accountId === undefined ? ('sample' as const) : ('chosen' as const),
      reviewer_id: reviewerId,
      created_by: principal.accountId,
    }));
    const ids = await db.transaction().execute(async (transaction) => {
      const added = await addLogReviews(transaction, reviews);
      const at = new Date();
      const entries = added.map((id) => ({ ...entryOf(principal, customerId, 'review.created', id), at }));
      await insertAccesses(transaction, entries);
      return added;
    });
    if (accountId !== undefined && ids.length === 0) throw new ProblemError('conflict');
    return { ids };
  });

  bind(server, binding, logReviewTakeOver, async ({ principal, params: { id } }) => {
    const review = await requireReview(principal, id);
    if (review.account_id === principal.accountId) throw new ProblemError('own-account');
    await db.transaction().execute(async (transaction) => {
      if (!(await assignLogReview(transaction, id, principal.accountId))) throw new ProblemError('conflict');
      const entry = entryOf(principal, review.customer_id, 'review.taken-over', id);
      await insertAccesses(transaction, [{ ...entry, at: new Date() }]);
    });
    return {};
  });

  bind(server, binding, logReviewClose, async ({ principal, params: { id }, body }) => {
    const review = await requireReview(principal, id);
    await db.transaction().execute(async (transaction) => {
      if (!(await closeLogReview(transaction, id, principal.accountId, body))) throw new ProblemError('conflict');
      const entry = entryOf(principal, review.customer_id, 'review.closed', id);
      await insertAccesses(transaction, [{ ...entry, at: new Date(), detail: body.outcome }]);
    });
    return {};
  });
};
