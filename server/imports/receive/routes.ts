import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { importSteps } from '../../../contract/imports.ts';
import { importBatch, importDicom, importLimitsGet } from '../../../contract/uploads.ts';
import type { Principal } from '../../policy/principal.ts';
import { Refusal } from '../../refusal.ts';
import { bind } from '../../route-binding.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { taskInReach } from '../task-in-reach.ts';
import { receiveFiles } from './receive-files.ts';

/** Files of one batch request. */
const mostFilesOfBatch = 100;

/** The calls that bring files in. */
export const uploadRoutes = (parent: FastifyInstance, deps: ImportDependencies): void => {
  const { db, binding, files, limits } = deps;

  const receiving = (principal: Principal) => ({
    db,
    files,
    limitBytes: limits.fileBytes,
    admit: async (taskId: string) => {
      const task = await taskInReach(db, principal, taskId);
      if (task.step !== importSteps.uploading || task.error) throw new Refusal('import-wrong-step');
    },
  });

  bind(parent, binding, importLimitsGet, async () => limits);

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
};
