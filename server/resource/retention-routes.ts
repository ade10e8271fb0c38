import type { FastifyInstance } from 'fastify';
import { retentionDue } from '../../contract/retention.ts';
import { duePatients, retentionYearsOf } from '../db/stores/retention.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { patientOf } from './patient-routes.ts';
import { patientsListed } from './patients-listed.ts';

/** Registers the route that lists patients whose retention has ended. */
export const retentionRoutes = (server: FastifyInstance, { db, binding, accessLog }: ResourceDependencies): void => {
  bind(server, binding, retentionDue, async ({ principal, body: { customerId, page, ppage } }) => {
    const years = canUseClinic(principal, customerId) ? await retentionYearsOf(db, customerId) : undefined;
    if (years === undefined) throw new ProblemError('not-found');
    if (years === null) return { data: [], totalCount: 0, isTotalExact: true, next: null, retentionYears: null };
    const { rows, totalCount } = await duePatients(db, {
      customerId,
      seesProtected: seesProtected(principal),
      years,
      page,
      ppage,
    });
    await accessLog.note(...patientsListed(principal, rows));
    const data = rows.map((row) => ({
      ...patientOf(row),
      lastEntryAt: row.last_entry.toISOString(),
      dueSince: row.due_since.toISOString(),
      deletedAt: row.deleted_at?.toISOString() ?? null,
      isProposed: row.is_proposed,
    }));
    return { data, totalCount, isTotalExact: true, next: null, retentionYears: years };
  });
};
