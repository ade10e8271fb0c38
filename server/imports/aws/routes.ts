import type { FastifyInstance, FastifyRequest } from 'fastify';
import { awsBegin, awsComplete, importAwsDirectoryParse, importAwsParse } from '../../../contract/aws-uploads.ts';
import type { Route } from '../../../contract/route.ts';
import { isAwaitedFile } from '../../db/stores/awaited-files.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { createNewestWinsMutex } from '../../jobs/newest-wins-mutex.ts';
import { bind } from '../../route-binding.ts';
import { ObjectStoreError } from '../../storage/object-store-error.ts';
import { requireAccessibleTask } from '../accessible-task.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { startParsing } from '../ledger/decisions.ts';
import { safePath } from '../receive/safe-path.ts';
import { beginUpload } from './begin-upload.ts';
import { completeUpload } from './complete-upload.ts';
import { directoryOf } from './object-key.ts';

const routes: readonly Route[] = [awsBegin, awsComplete, importAwsParse, importAwsDirectoryParse];

/** Without an object store, these routes reply `not-found`. */
const bindNotFound = (server: FastifyInstance, { binding }: ImportDependencies): void => {
  for (const call of routes)
    bind(server, binding, call, async () => {
      throw new ProblemError('not-found');
    });
};

/** Registers the routes of direct uploads to the object store. */
export const awsRoutes = (server: FastifyInstance, deps: ImportDependencies): void => {
  const { db, binding, limits, diskSpace, wake, objectStore: store } = deps;
  if (!store) {
    bindNotFound(server, deps);
    return;
  }
  const uploadDeps = { db, store, limits };
  // Requests for the same upload run one after the other, as the store can complete an upload only once.
  const runExclusive = createNewestWinsMutex();

  /** Runs `work` alone for its upload; reports an error of the store as 503 `object-store-away`. */
  const runOnStore = async <Answer>(
    request: FastifyRequest,
    upload: string,
    work: () => Promise<Answer>,
  ): Promise<Answer> => {
    try {
      return await runExclusive(upload, work);
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      request.log.error({ err: error }, 'object store failed');
      throw new ProblemError('object-store-away');
    }
  };

  bind(server, binding, awsBegin, async ({ principal, request, body: { id, key, path, sizeBytes } }) => {
    const task = await requireAccessibleTask(db, principal, id);
    const upload = { key, path: safePath(path, limits.folderDepth), sizeBytes };
    await diskSpace.ensure(sizeBytes);
    return runOnStore(request, `${task.id}/${key}`, () => beginUpload(uploadDeps, task, upload));
  });

  bind(server, binding, awsComplete, async ({ principal, request, body: { id, key } }) => {
    const task = await requireAccessibleTask(db, principal, id);
    return runOnStore(request, `${task.id}/${key}`, () => completeUpload(uploadDeps, task, key));
  });

  const parse = async (id: string) => {
    await startParsing(db, id);
    wake();
    return { id };
  };

  bind(server, binding, importAwsParse, async ({ principal, body }) => {
    const task = await requireAccessibleTask(db, principal, body.id);
    if (!(await isAwaitedFile(db, task.id, body.awsFileName)))
      throw new ProblemError('invalid-request', [{ fieldKey: 'awsFileName' }]);
    return parse(task.id);
  });

  bind(server, binding, importAwsDirectoryParse, async ({ principal, body }) => {
    const task = await requireAccessibleTask(db, principal, body.id);
    if (body.awsDirectroryKey !== directoryOf(task.id))
      throw new ProblemError('invalid-request', [{ fieldKey: 'awsDirectroryKey' }]);
    return parse(task.id);
  });
};
