import type { FastifyInstance } from 'fastify';
import { importBegin, importGet, importsOpen } from '../../../contract/import-calls.ts';
import type { ImportTask } from '../../../contract/imports.ts';
import { type ImportTaskRow, openTasksOfAccount, openTasksOfPatient } from '../../db/stores/imports.ts';
import { findPatient } from '../../db/stores/patients.ts';
import { receivedTasks } from '../../db/stores/received-tasks.ts';
import { canUseClinic } from '../../domain/policy/can-use-clinic.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { requireAccessible } from '../../domain/policy/require-accessible.ts';
import { seesProtected } from '../../domain/policy/sees-protected.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import { requireAccessibleTask } from '../accessible-task.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { beginImport } from './begin.ts';
import { decisionRoutes } from './decision-routes.ts';
import { importTaskViews } from './task-view.ts';

/** Returns the patients of an import: chosen, proposed, or found in it. */
const patientIdsIn = ({ studies }: Pick<ImportTask, 'studies'>): ReadonlySet<string> =>
  new Set(
    studies
      .flatMap(({ patient, inArchive, candidates }) => [
        patient,
        inArchive?.patient,
        ...candidates.map((one) => one.patient),
      ])
      .flatMap((patient) => patient?.id ?? []),
  );

/** Registers the routes that create and show imports; decisions are in decision-routes. */
export const ledgerRoutes = (server: FastifyInstance, deps: ImportDependencies): void => {
  const { db, binding, accessLog, limits, diskSpace } = deps;

  const shown = async (principal: Principal, tasks: readonly ImportTaskRow[]): Promise<ImportTask[]> => {
    const views = await importTaskViews(deps, principal, tasks);
    const by = (view: ImportTask) => ({ accountId: principal.accountId, customerId: view.customerId });
    await accessLog.note(
      ...views.flatMap((view) => [
        { ...by(view), patientId: view.patientId, action: 'import.opened' as const, objectId: view.id },
        ...[...patientIdsIn(view)].map((patientId) => ({
          ...by(view),
          patientId,
          action: 'patient.listed' as const,
          objectId: view.id,
        })),
      ]),
    );
    return views;
  };

  bind(server, binding, importBegin, async ({ principal, body }) => {
    await diskSpace.ensure(0);
    const task = await beginImport(db, principal, body, limits.filesPerImport);
    await accessLog.note({
      accountId: principal.accountId,
      customerId: task.customer_id,
      patientId: task.patient_id,
      action: 'import.begun',
      objectId: task.id,
    });
    return { id: task.id };
  });

  bind(server, binding, importGet, async ({ principal, params }) => {
    const [view] = await shown(principal, [await requireAccessibleTask(db, principal, params.id)]);
    if (!view) throw new ProblemError('import-not-found');
    return view;
  });

  bind(server, binding, importsOpen, async ({ principal, query: { patientId, customerId, received } }) => {
    if (patientId !== undefined) {
      const patient = requireAccessible(principal, await findPatient(db, patientId));
      return shown(principal, await openTasksOfPatient(db, patient.id));
    }
    if (customerId === undefined || !canUseClinic(principal, customerId)) throw new ProblemError('not-found');
    const own = await openTasksOfAccount(db, { accountId: principal.accountId, customerId });
    if (received === undefined) return shown(principal, own);
    const sent = await receivedTasks(db, { customerId, seesProtected: seesProtected(principal) });
    return shown(principal, [...own, ...sent]);
  });

  decisionRoutes(server, deps);
};
