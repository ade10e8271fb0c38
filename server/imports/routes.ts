import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import {
  importBatch,
  importBegin,
  importCancel,
  importConfirm,
  importDicom,
  importGet,
  importParse,
  importSteps,
  importsOpen,
} from '../../contract/imports.ts';
import type { Schema } from '../db/schema.ts';
import type { AccessAction } from '../db/stores/access-log.ts';
import { filesOfTasks, findTask, type ImportTaskRow, insertTask, openTasksOfPatient } from '../db/stores/imports.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import type { AccessLog } from '../resource/access-log.ts';
import { patientInReach } from '../resource/patient-in-reach.ts';
import { type Binding, bind } from '../route-binding.ts';
import type { FileStore } from '../storage/file-store.ts';
import { cancelImport, confirmImport, startParsing } from './decisions.ts';
import { receiveFiles } from './receive.ts';
import { importTaskOf } from './task-view.ts';

export interface ImportDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly files: FileStore;
  readonly accessLog: AccessLog;
  /** Says that a task has work to do now. */
  readonly wake: () => void;
  /** Most bytes that one file may have. */
  readonly limitBytes: number;
}

/** Files of one batch request. */
const mostFilesOfBatch = 100;

export const importRoutes = (parent: FastifyInstance, deps: ImportDependencies): void => {
  const { db, binding, files, accessLog, wake, limitBytes } = deps;

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

  const taskInReach = async (principal: Principal, id: string): Promise<ImportTaskRow> => {
    const task = await findTask(db, id);
    if (!task || !mayUseClinic(principal, task.customer_id)) throw new Refusal('import-not-found');
    return task;
  };

  const receiving = (principal: Principal) => ({
    db,
    files,
    limitBytes,
    admit: async (taskId: string) => {
      const task = await taskInReach(principal, taskId);
      if (task.step !== importSteps.uploading || task.error) throw new Refusal('import-wrong-step');
    },
  });

  void parent.register(async (server) => {
    await server.register(multipart);

    bind(server, binding, importDicom, async ({ principal, request }) => {
      const [file] = await receiveFiles(request, receiving(principal), 1);
      if (!file) throw new Refusal('invalid-request', [{ fieldKey: 'file' }]);
      return { fileId: file.fileId, sizeBytes: file.sizeBytes, sha256: file.sha256 };
    });

    bind(server, binding, importBatch, async ({ principal, request }) => ({
      files: await receiveFiles(request, receiving(principal), mostFilesOfBatch),
    }));
  });

  bind(parent, binding, importBegin, async ({ principal, body }) => {
    const patient = await patientInReach(db, principal, body.patientId);
    const task = { id: randomUUID(), customer_id: patient.customer_id, patient_id: patient.id };
    await insertTask(db, {
      id: task.id,
      customerId: task.customer_id,
      patientId: task.patient_id,
      accountId: principal.accountId,
      totalFiles: body.totalFilesCount,
    });
    await note(principal, task, 'import.begun');
    return { id: task.id };
  });

  bind(parent, binding, importParse, async ({ principal, body }) => {
    const task = await taskInReach(principal, body.id);
    await startParsing(db, task.id);
    wake();
    return { id: task.id };
  });

  bind(parent, binding, importConfirm, async ({ principal, body }) => {
    const task = await taskInReach(principal, body.id);
    await confirmImport(db, task.id, body.mismatchConfirmed);
    await note(principal, task, 'import.confirmed');
    wake();
    return { id: task.id };
  });

  bind(parent, binding, importCancel, async ({ principal, body }) => {
    const task = await taskInReach(principal, body.id);
    await cancelImport(db, task.id);
    await note(principal, task, 'import.cancelled');
    return { id: task.id };
  });

  bind(parent, binding, importGet, async ({ principal, params }) => {
    const task = await taskInReach(principal, params.id);
    const rows = await filesOfTasks(db, [task.id]);
    await note(principal, task, 'import.opened');
    return importTaskOf(task, rows);
  });

  bind(parent, binding, importsOpen, async ({ principal, query }) => {
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
