import type { FastifyInstance } from 'fastify';
import type { AccessAction } from '../../../contract/access-log.ts';
import {
  importCancel,
  importConfirm,
  importDecide,
  importDirectoryConfirm,
  importDirectoryParse,
  importParse,
  importRetry,
} from '../../../contract/import-calls.ts';
import { studiesOfTasks } from '../../db/stores/import-studies.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import { requireAccessibleTask } from '../accessible-task.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { type Confirmation, confirmImport } from './confirm.ts';
import { decideStudy } from './decide.ts';
import { cancelImport, retryImport, startParsing } from './decisions.ts';
import { studyViews } from './study-view.ts';

/** Registers the routes by which a user decides about an import. */
export const decisionRoutes = (server: FastifyInstance, deps: ImportDependencies): void => {
  const { db, binding, accessLog, wake } = deps;

  const note = (
    principal: Principal,
    task: Pick<ImportTaskRow, 'id' | 'customer_id'>,
    action: AccessAction,
    patientId: string | null,
  ) =>
    accessLog.note({
      accountId: principal.accountId,
      customerId: task.customer_id,
      patientId,
      action,
      objectId: task.id,
    });

  const parse = async (principal: Principal, id: string) => {
    const task = await requireAccessibleTask(db, principal, id);
    await startParsing(db, task.id);
    wake();
    return { id: task.id };
  };

  const confirm = async (principal: Principal, confirmation: Confirmation) => {
    const task = await requireAccessibleTask(db, principal, confirmation.id);
    await confirmImport(db, principal, confirmation);
    // The confirmation writes to the records of all patients of its studies, so each must be accessible.
    const studies = (await studiesOfTasks(db, [task.id])).filter((study) => !study.left_out);
    const patients = new Set([task.patient_id, ...studies.map((study) => study.patient_id)]);
    if (patients.size > 1) patients.delete(null);
    await Promise.all([...patients].map((patientId) => note(principal, task, 'import.confirmed', patientId)));
    wake();
    return { id: task.id };
  };

  bind(server, binding, importParse, ({ principal, body }) => parse(principal, body.id));
  bind(server, binding, importDirectoryParse, ({ principal, body }) => parse(principal, body.id));

  bind(server, binding, importDecide, async ({ principal, body }) => {
    const task = await requireAccessibleTask(db, principal, body.id);
    const row = await decideStudy(db, principal, body);
    const [view] = await studyViews(db, task, [row], principal);
    if (!view) throw new ProblemError('import-not-found');
    await note(principal, task, 'import.decided', row.patient_id);
    return view;
  });

  bind(server, binding, importConfirm, ({ principal, body }) => confirm(principal, body));

  bind(server, binding, importDirectoryConfirm, async ({ principal, body }) => {
    const { dicomDirSystemName, awsDirectroryKey, totalFilesCount, ...confirmation } = body;
    const task = await requireAccessibleTask(db, principal, body.id);
    const isThis = dicomDirSystemName === undefined || dicomDirSystemName === task.id;
    if (!isThis) throw new ProblemError('invalid-request', [{ fieldKey: 'dicomDirSystemName' }]);
    // The object store directory of an import is named after the import id.
    const isThere = awsDirectroryKey === undefined || awsDirectroryKey.includes(task.id);
    if (!isThere) throw new ProblemError('invalid-request', [{ fieldKey: 'awsDirectroryKey' }]);
    const areAll = totalFilesCount === undefined || totalFilesCount === task.total_files;
    if (!areAll) throw new ProblemError('invalid-request', [{ fieldKey: 'totalFilesCount' }]);
    return confirm(principal, confirmation);
  });

  bind(server, binding, importRetry, async ({ principal, body }) => {
    const task = await requireAccessibleTask(db, principal, body.id);
    if (await retryImport(db, task.id)) wake();
    return { id: task.id };
  });

  bind(server, binding, importCancel, async ({ principal, body }) => {
    const task = await requireAccessibleTask(db, principal, body.id);
    await cancelImport(db, task.id);
    await note(principal, task, 'import.cancelled', task.patient_id);
    return { id: task.id };
  });
};
