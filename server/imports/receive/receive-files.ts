import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ReceivedFile } from '../../db/stores/received-files.ts';
import { Refusal } from '../../refusal.ts';
import { type FileBatch, type FileStore, StorageFault } from '../../storage/file-store.ts';
import { chunksOf } from './chunks-of.ts';
import type { AcknowledgedFile } from './enter-files.ts';
import { boundaryOf, readParts, textOf } from './multipart.ts';
import { safeFileName, safePath } from './safe-path.ts';
import { takeRest } from './take-rest.ts';

export interface Receiving {
  readonly files: FileStore;
  /** Most bytes of the file with this path. */
  readonly limitOf: (path: string) => number;
  readonly mostFolders: number;
  /** Called when the field `id` has come and before any byte is kept. Throws a Refusal when the caller may not. */
  readonly admit: (taskId: string) => Promise<void>;
  /** Commits the rows of files whose bytes are durable. */
  readonly enter: (taskId: string, files: readonly ReceivedFile[]) => Promise<AcknowledgedFile[]>;
}

interface ReceivedUpload {
  readonly taskId: string;
  readonly received: readonly AcknowledgedFile[];
}

const addTo = async (batch: FileBatch, source: AsyncIterable<Uint8Array>, limitBytes: number) => {
  try {
    return await batch.add(source, limitBytes, { mayFree: true });
  } catch (error) {
    if (error instanceof StorageFault && error.code === 'too-large') throw new Refusal('too-large');
    throw error;
  }
};

const missing = (fieldKey: 'id' | 'file') => new Refusal('invalid-request', [{ fieldKey }]);

const receiveParts = async (
  request: FastifyRequest,
  { limitOf, mostFolders, admit, enter }: Receiving,
  batch: FileBatch,
  mostFiles: number,
): Promise<ReceivedUpload> => {
  const boundary = boundaryOf(request.headers['content-type']);
  if (boundary === null) throw missing('file');
  let taskId: string | null = null;
  let path: string | null = null;
  const received: ReceivedFile[] = [];
  // Left open when something is refused: a browser reads the reply only after it has sent everything.
  for await (const part of readParts(chunksOf(request.raw), boundary)) {
    if (part.fileName === null) {
      const text = await textOf(part.body);
      if (part.name === 'path') path = text;
      if (part.name !== 'id') continue;
      const id = z.uuid().safeParse(text);
      if (!id.success || (taskId !== null && taskId !== id.data)) throw missing('id');
      if (taskId === null) await admit(id.data);
      taskId = id.data;
      continue;
    }
    // The id comes first, so that nobody fills the disk who may not import at all.
    if (taskId === null) throw missing('id');
    if (received.length === mostFiles)
      throw new Refusal('too-many-files', [{ fieldKey: 'file', vars: { max: mostFiles } }]);
    const kept = path === null ? safeFileName(part.fileName) : safePath(path, mostFolders);
    path = null;
    const stored = await addTo(batch, part.body, limitOf(kept));
    received.push({ ...stored, path: kept, fileName: safeFileName(kept) });
  }
  if (taskId === null || received.length === 0) throw missing('file');
  await batch.keep();
  return { taskId, received: await enter(taskId, received) };
};

/**
 * Reads the parts of an upload: the field `id`, then files, each perhaps with its `path` before it. Bytes go to the store as they come, never whole into
 * memory. When the promise resolves, the bytes of all files are durable and the rows that name them are committed: what it returns may be acknowledged.
 * @throws Refusal 'invalid-request', 'import-not-found', 'import-wrong-step', 'too-large', 'too-many-files', 'too-deep'; StorageFault
 */
export const receiveFiles = async (
  request: FastifyRequest,
  receiving: Receiving,
  mostFiles: number,
): Promise<ReceivedUpload> => {
  const batch = receiving.files.batch();
  try {
    return await receiveParts(request, receiving, batch, mostFiles);
  } catch (error) {
    takeRest(request.raw);
    throw error;
  } finally {
    await batch.discard();
  }
};
