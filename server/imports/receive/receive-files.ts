import type { FastifyRequest } from 'fastify';
import { uuid } from '../../../contract/bounds.ts';
import type { ReceivedFile } from '../../db/stores/received-files.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { type FileBatch, type FileStore, StorageError } from '../../storage/file-store.ts';
import { freeChunk } from '../../storage/free-chunk.ts';
import { drainRequest } from '../../web/drain-request.ts';
import { boundaryOf, readParts, textOf } from '../../web/multipart.ts';
import { requestChunks } from '../../web/request-chunks.ts';
import type { AcknowledgedFile } from './insert-files.ts';
import { safeFileName, safePath } from './safe-path.ts';

export interface Receiving {
  readonly files: FileStore;
  /** Returns the size limit of the file with this path. */
  readonly limitOf: (path: string) => number;
  readonly maxFolders: number;
  /** Called when the field `id` has been read and before any byte is stored. Throws a ProblemError when the caller is not authorized. */
  readonly admit: (taskId: string) => Promise<void>;
  /** Commits the rows of durable files. */
  readonly enter: (taskId: string, files: readonly ReceivedFile[]) => Promise<AcknowledgedFile[]>;
}

interface ReceivedUpload {
  readonly taskId: string;
  readonly received: readonly AcknowledgedFile[];
}

const addTo = async (batch: FileBatch, source: AsyncIterable<Uint8Array>, limitBytes: number) => {
  try {
    return await batch.add(source, limitBytes, { free: freeChunk });
  } catch (error) {
    if (error instanceof StorageError && error.code === 'too-large') throw new ProblemError('too-large');
    throw error;
  }
};

const missing = (fieldKey: 'id' | 'file') => new ProblemError('invalid-request', [{ fieldKey }]);

const receiveParts = async (
  request: FastifyRequest,
  { limitOf, maxFolders, admit, enter }: Receiving,
  batch: FileBatch,
  maxFiles: number,
): Promise<ReceivedUpload> => {
  const boundary = boundaryOf(request.headers['content-type']);
  if (boundary === null) throw missing('file');
  let taskId: string | null = null;
  let path: string | null = null;
  const received: ReceivedFile[] = [];
  // Not closed on rejection: a browser reads the reply only after it has sent everything.
  for await (const part of readParts(requestChunks(request.raw), boundary)) {
    if (part.fileName === null) {
      const text = await textOf(part.body);
      if (part.name === 'path') path = text;
      if (part.name !== 'id') continue;
      const id = uuid.safeParse(text);
      if (!id.success || (taskId !== null && taskId !== id.data)) throw missing('id');
      if (taskId === null) await admit(id.data);
      taskId = id.data;
      continue;
    }
    // The id comes first, so that unauthorized callers cannot fill the disk.
    if (taskId === null) throw missing('id');
    if (received.length === maxFiles)
      throw new ProblemError('too-many-files', [{ fieldKey: 'file', vars: { max: maxFiles } }]);
    const safeName = path === null ? safeFileName(part.fileName) : safePath(path, maxFolders);
    path = null;
    const stored = await addTo(batch, part.body, limitOf(safeName));
    received.push({ ...stored, path: safeName, fileName: safeFileName(safeName) });
  }
  if (taskId === null || received.length === 0) throw missing('file');
  await batch.keep();
  return { taskId, received: await enter(taskId, received) };
};

/**
 * Reads the parts of an upload: the field `id`, then files, each optionally preceded by its `path`. Streams bytes to the store. When the
 * promise resolves, all bytes are durable and their rows are committed, so the result may be acknowledged.
 * @throws ProblemError 'invalid-request', 'import-not-found', 'import-wrong-step', 'too-large', 'too-many-files', 'too-deep'; StorageError
 */
export const receiveFiles = async (
  request: FastifyRequest,
  receiving: Receiving,
  maxFiles: number,
): Promise<ReceivedUpload> => {
  const batch = receiving.files.batch();
  try {
    return await receiveParts(request, receiving, batch, maxFiles);
  } catch (error) {
    drainRequest(request.raw);
    throw error;
  } finally {
    await batch.discard();
  }
};
