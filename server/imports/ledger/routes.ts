import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  importBegin,
  importCancel,
  importConfirm,
  importGet,
  importParse,
  importsOpen,
} from '../../../contract/import-calls.ts';
import type { AccessAction } from '../../db/stores/access-log.ts';
import { filesOfTasks, type ImportTaskRow, insertTask, openTasksOfPatient } from '../../db/stores/imports.ts';
import type { Principal } from '../../policy/principal.ts';
import { Refusal } from '../../refusal.ts';
import { patientInReach } from '../../resource/patient-in-reach.ts';
import { bind } from '../../route-binding.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { taskInReach } from '../task-in-reach.ts';
import { cancelImport, confirmImport, startParsing } from './decisions.ts';
import { importTaskOf } from './task-view.ts';

/** The calls that open an import, drive it and look at it. */
export const ledgerRoutes = (parent: FastifyInstance, deps: ImportDependencies): void => {
  const { db, binding, accessLog, wake } = deps;

  const note = (
    principal: Principal,
    task: Pick<ImportTaskRow, 'id' | 'customer_id' | 'patient_id'>,
    action: AccessAction,
  ) =>
    accessLog.note({
      accountId: principal.accountId,
      customerId: task.customer_id,
      patientId: task.patient_id,
      action,
      objectId: task.id,
    });

  bind(parent, binding, importBegin, async ({ principal, body }) => {
    if (body.patientId === null) throw new Refusal('invalid-request', [{ fieldKey: 'patientId' }]);
    const patient = await patientInReach(db, principal, body.patientId);
    const task = { id: randomUUID(), customer_id: patient.customer_id, patient_id: patient.id };
    await insertTask(db, {
      id: task.id,
      customerId: task.customer_id,
      patientId: task.patient_id,
      accountId: principal.accountId,
      kind: body.kind,
      name: body.name,
      totalFiles: body.totalFilesCount,
    });
    await note(principal, task, 'import.begun');
    return { id: task.id };
  });

  bind(parent, binding, importParse, async ({ principal, body }) => {
    const task = await taskInReach(db, principal, body.id);
    await startParsing(db, task.id);
    wake();
    return { id: task.id };
  });

  bind(parent, binding, importConfirm, async ({ principal, body }) => {
    const task = await taskInReach(db, principal, body.id);
    await confirmImport(db, task.id, body.mismatchConfirmed);
    await note(principal, task, 'import.confirmed');
    wake();
    return { id: task.id };
  });

  bind(parent, binding, importCancel, async ({ principal, body }) => {
    const task = await taskInReach(db, principal, body.id);
    await cancelImport(db, task.id);
    await note(principal, task, 'import.cancelled');
    return { id: task.id };
  });

  bind(parent, binding, importGet, async ({ principal, params }) => {
    const task = await taskInReach(db, principal, params.id);
    const rows = await filesOfTasks(db, [task.id]);
    await note(principal, task, 'import.opened');
    return importTaskOf(task, rows);
  });

  bind(parent, binding, importsOpen, async ({ principal, query }) => {
    if (query.patientId === undefined) throw new Refusal('invalid-request', [{ fieldKey: 'patientId' }]);
    const patient = await patientInReach(db, principal, query.patientId);
    const tasks = await openTasksOfPatient(db, patient.id);
    const rows = await filesOfTasks(
      db,
      tasks.map((task) => task.id),
    );
    for (const task of tasks) await note(principal, task, 'import.opened');
    return tasks.map((task) =>
      importTaskOf(
        task,
        rows.filter((row) => row.task_id === task.id),
      ),
    );
  });
};
