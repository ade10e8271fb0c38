import type { FastifyInstance } from 'fastify';
import { importBegin, importGet, importsOpen } from '../../../contract/import-calls.ts';
import type { ImportTask } from '../../../contract/imports.ts';
import { type ImportTaskRow, openTasksOfPatient, openTasksOfPerson } from '../../db/stores/imports.ts';
import { mayUseClinic } from '../../policy/may-use-clinic.ts';
import type { Principal } from '../../policy/principal.ts';
import { Refusal } from '../../refusal.ts';
import { patientInReach } from '../../resource/patient-in-reach.ts';
import { bind } from '../../route-binding.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { taskInReach } from '../task-in-reach.ts';
import { beginImport } from './begin.ts';
import { decisionRoutes } from './decision-routes.ts';
import { importTaskViews } from './task-view.ts';

/** Everybody of the archive whom an import shows: chosen, proposed, or found in it. */
const peopleIn = ({ studies }: Pick<ImportTask, 'studies'>): ReadonlySet<string> =>
  new Set(
    studies
      .flatMap(({ patient, inArchive, candidates }) => [
        patient,
        inArchive?.patient,
        ...candidates.map((one) => one.patient),
      ])
      .flatMap((patient) => patient?.id ?? []),
  );

/** The calls that open an import and look at it; deciding is in decision-routes. */
export const ledgerRoutes = (server: FastifyInstance, deps: ImportDependencies): void => {
  const { db, binding, accessLog, limits } = deps;

  const shown = async (principal: Principal, tasks: readonly ImportTaskRow[]): Promise<ImportTask[]> => {
    const views = await importTaskViews(deps, tasks);
    const by = (view: ImportTask) => ({ accountId: principal.accountId, customerId: view.customerId });
    await accessLog.note(
      ...views.flatMap((view) => [
        { ...by(view), patientId: view.patientId, action: 'import.opened' as const, objectId: view.id },
        ...[...peopleIn(view)].map((patientId) => ({
          ...{ ...by(view), patientId, action: 'patient.listed' as const, objectId: view.id },
        })),
      ]),
    );
    return views;
  };

  bind(server, binding, importBegin, async ({ principal, body }) => {
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
    const [view] = await shown(principal, [await taskInReach(db, principal, params.id)]);
    if (!view) throw new Refusal('import-not-found');
    return view;
  });

  bind(server, binding, importsOpen, async ({ principal, query: { patientId, customerId } }) => {
    if (patientId !== undefined) {
      const patient = await patientInReach(db, principal, patientId);
      return shown(principal, await openTasksOfPatient(db, patient.id));
    }
    if (customerId === undefined || !mayUseClinic(principal, customerId)) throw new Refusal('not-found');
    return shown(principal, await openTasksOfPerson(db, { accountId: principal.accountId, customerId }));
  });

  decisionRoutes(server, deps);
};
