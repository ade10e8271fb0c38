import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  importBatch,
  importDicom,
  importDirectory,
  importLimitsGet,
  importPart,
  importPartsBegin,
  importZip,
} from '../../../contract/uploads.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import { StorageError } from '../../storage/file-store.ts';
import { drainRequest } from '../../web/drain-request.ts';
import { requestChunks } from '../../web/request-chunks.ts';
import { requireAccessibleTask } from '../accessible-task.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { type AcknowledgedFile, ensureUploading, insertFiles } from './insert-files.ts';
import { receiveFiles } from './receive-files.ts';
import { createPartReceiver } from './receive-parts.ts';
import { safePath } from './safe-path.ts';
import { sizeLimitOf } from './size-limit.ts';

/** Maximum number of files in one request. */
const maxFilesOfBatch = 100;

/** Returns the announced bytes of a request; 0 when it does not announce them. */
const bodyLength = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

const acknowledgement = ({ fileId, sizeBytes, sha256 }: AcknowledgedFile) => ({ fileId, sizeBytes, sha256 });
const named = (file: AcknowledgedFile) => ({ ...acknowledgement(file), fileName: file.fileName, path: file.path });

/** Registers the routes that receive files. */
export const uploadRoutes = (parent: FastifyInstance, deps: ImportDependencies): void => {
  const { db, binding, files, limits, diskSpace, drafts, onReceived } = deps;
  const parts = createPartReceiver({ db, files, drafts, maxFiles: limits.filesPerImport });

  const admit = async (principal: Principal, taskId: string, request: FastifyRequest): Promise<void> => {
    ensureUploading(await requireAccessibleTask(db, principal, taskId));
    await diskSpace.ensure(bodyLength(request));
  };

  const receive = async (principal: Principal, request: FastifyRequest, maxFiles: number) => {
    const { taskId, received } = await receiveFiles(
      request,
      {
        files,
        limitOf: (path) => sizeLimitOf(limits, path),
        maxFolders: limits.folderDepth,
        admit: (id) => admit(principal, id, request),
        enter: (id, stored) =>
          db.transaction().execute((transaction) => insertFiles(transaction, id, stored, limits.filesPerImport)),
      },
      maxFiles,
    );
    onReceived?.(taskId, received.length);
    return { taskId, received };
  };

  const receiveOne = async (principal: Principal, request: FastifyRequest) => {
    const { taskId, received } = await receive(principal, request, 1);
    const [file] = received;
    if (!file) throw new ProblemError('invalid-request', [{ fieldKey: 'file' }]);
    return { taskId, file: acknowledgement(file) };
  };

  bind(parent, binding, importLimitsGet, async () => limits);

  bind(parent, binding, importPartsBegin, async ({ principal, body: { id, key, path, sizeBytes } }) => {
    const task = await requireAccessibleTask(db, principal, id);
    const found = await parts.found(id, key);
    if (found) return found;
    ensureUploading(task);
    if (sizeBytes > sizeLimitOf(limits, path)) throw new ProblemError('too-large');
    const state = await parts.begin(id, key, safePath(path, limits.folderDepth), sizeBytes);
    if (state.file) onReceived?.(id, 1);
    else await diskSpace.ensure(sizeBytes - state.receivedBytes);
    return state;
  });

  void parent.register(async (server) => {
    // The handlers stream the bodies themselves.
    server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));

    bind(server, binding, importDicom, async ({ principal, request }) => (await receiveOne(principal, request)).file);

    bind(server, binding, importZip, async ({ principal, request }) => {
      const { taskId, file } = await receiveOne(principal, request);
      return { ...file, dicomDirSystemName: taskId };
    });

    bind(server, binding, importBatch, async ({ principal, request }) => {
      const { received } = await receive(principal, request, maxFilesOfBatch);
      return { files: received.map(named) };
    });

    bind(server, binding, importDirectory, async ({ principal, request }) => {
      const { taskId, received } = await receive(principal, request, maxFilesOfBatch);
      return { files: received.map(named), dicomDirSystemName: taskId };
    });
  });

  void parent.register(async (server) => {
    server.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null));

    bind(server, binding, importPart, async ({ principal, query: { id, key, offset }, request }) => {
      try {
        const task = await requireAccessibleTask(db, principal, id);
        const found = await parts.found(id, key);
        if (found) {
          drainRequest(request.raw);
          return found;
        }
        ensureUploading(task);
        await diskSpace.ensure(bodyLength(request));
        const state = await parts.append(id, key, {
          offset,
          source: requestChunks(request.raw),
          cancel: () => request.raw.destroy(),
        });
        if (state.file) onReceived?.(id, 1);
        return state;
      } catch (error) {
        drainRequest(request.raw);
        if (error instanceof StorageError && error.code === 'too-large') throw new ProblemError('too-large');
        throw error;
      }
    });
  });
};
