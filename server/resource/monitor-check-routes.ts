import type { FastifyInstance } from 'fastify';
import { type MonitorCheck, monitorCheckAdd, monitorCheckList } from '../../contract/monitor-checks.ts';
import { customerById } from '../db/stores/customer-store.ts';
import { insertMonitorCheck, type MonitorCheckRow, monitorChecks } from '../db/stores/monitor-checks.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';

const dayMs = 24 * 60 * 60 * 1_000;

const checkOf = (row: MonitorCheckRow): MonitorCheck => ({
  id: String(row.id),
  workstation: row.workstation,
  day: row.day,
  answers: row.answers,
  comment: row.comment,
  widthPx: row.width_px,
  heightPx: row.height_px,
  pixelRatio: row.pixel_ratio,
  author: { id: row.author_id, name: row.author_name },
  savedAt: row.saved_at.toISOString(),
});

/** Returns whether noon of a day (UTC) is at most one and a half days away, as that of today is in every time zone. */
const isToday = (day: string): boolean => Math.abs(Date.parse(day) + dayMs / 2 - Date.now()) <= 1.5 * dayMs;

/** Registers the routes of monitor checks. There is none that changes or deletes one. They name no patient, so they are not logged. */
export const monitorCheckRoutes = (server: FastifyInstance, { db, binding }: ResourceDependencies): void => {
  const requireClinic = async (principal: Principal, customerId: string): Promise<void> => {
    if (!canUseClinic(principal, customerId) || !(await customerById(db, customerId)))
      throw new ProblemError('not-found');
  };

  bind(server, binding, monitorCheckList, async ({ principal, params: { customerId }, query }) => {
    await requireClinic(principal, customerId);
    const { page, ppage, workstation } = query;
    const range = { offset: (page - 1) * ppage, limit: ppage };
    const { rows, totalCount } = await monitorChecks(db, { customerId, workstation }, range);
    return { data: rows.map(checkOf), totalCount };
  });

  bind(server, binding, monitorCheckAdd, async ({ principal, body }) => {
    const { customerId, workstation, day, answers, comment, widthPx, heightPx, pixelRatio } = body;
    await requireClinic(principal, customerId);
    if (!isToday(day)) throw new ProblemError('invalid-request', [{ fieldKey: 'day' }]);
    const row = await insertMonitorCheck(db, {
      customer_id: customerId,
      workstation,
      day,
      answers,
      comment,
      width_px: widthPx,
      height_px: heightPx,
      pixel_ratio: pixelRatio,
      author_id: principal.accountId,
    });
    return checkOf(row);
  });
};
