import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { ensureFile, lockTask } from '../../db/stores/imports.ts';
import { Refusal } from '../../refusal.ts';
import { type FileStore, StorageFault } from '../../storage/file-store.ts';

export interface ReceivedFile {
  readonly fileId: string;
  readonly fileName: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface Receiving {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly limitBytes: number;
  /** Called once, when the field `id` has come and before any byte is kept. Throws a Refusal when the caller may not. */
  readonly admit: (taskId: string) => Promise<void>;
}

const longestName = 255;

/** The name as it was given, without folders of any system and without control characters. */
export const safeFileName = (given: string): string => {
  const [name = ''] = given.split(/[\\/]/).slice(-1);
  const clean = name
    .normalize('NFC')
    .replace(/\p{Cc}/gu, '')
    .trim();
  if (clean === '' || clean === '.' || clean === '..') return 'unnamed';
  if (clean.length <= longestName) return clean;
  const { name: stem, ext } = path.parse(clean);
  return ext.length < longestName ? `${stem.slice(0, longestName - ext.length)}${ext}` : clean.slice(0, longestName);
};

/** A file belongs to an import that is still being uploaded; the lock keeps the step from changing under it. */
const keepRow = (db: Kysely<Schema>, taskId: string, file: Omit<ReceivedFile, 'fileId'>): Promise<ReceivedFile> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, taskId, 'share');
    if (!task) throw new Refusal('import-not-found');
    if (task.step !== importSteps.uploading || task.error) throw new Refusal('import-wrong-step');
    return { ...file, fileId: await ensureFile(transaction, { ...file, id: randomUUID(), taskId }) };
  });

const keepBytes = async (files: FileStore, source: AsyncIterable<Uint8Array>, limitBytes: number) => {
  try {
    return await files.put(source, limitBytes);
  } catch (error) {
    if (error instanceof StorageFault && error.code === 'too-large') throw new Refusal('too-large');
    throw error;
  }
};

const receiveParts = async (
  request: FastifyRequest,
  { db, files, limitBytes, admit }: Receiving,
  mostFiles: number,
): Promise<ReceivedFile[]> => {
  if (!request.isMultipart()) throw new Refusal('invalid-request', [{ fieldKey: 'file' }]);
  let taskId: string | null = null;
  const received: ReceivedFile[] = [];
  for await (const part of request.parts({ limits: { files: mostFiles, fileSize: Number.POSITIVE_INFINITY } })) {
    if (part.type === 'field') {
      if (part.fieldname !== 'id') continue;
      const id = z.uuid().safeParse(part.value);
      if (!id.success) throw new Refusal('invalid-request', [{ fieldKey: 'id' }]);
      taskId = id.data;
      await admit(taskId);
      continue;
    }
    // The id comes first, so that nobody fills the disk who may not import at all.
    if (taskId === null) throw new Refusal('invalid-request', [{ fieldKey: 'id' }]);
    const stored = await keepBytes(files, part.file, limitBytes);
    const fileName = safeFileName(part.filename);
    received.push(await keepRow(db, taskId, { fileName, path: fileName, ...stored }));
  }
  if (received.length === 0) throw new Refusal('invalid-request', [{ fieldKey: 'file' }]);
  return received;
};

/**
 * Reads the parts of an upload: the field `id`, then files. Bytes go to the store as they come, never whole into memory. When the promise
 * resolves, the bytes are durable and the rows that name them are committed: what it returns may be acknowledged.
 * @throws Refusal 'invalid-request', 'import-not-found', 'import-wrong-step', 'too-large'; StorageFault
 */
export const receiveFiles = async (
  request: FastifyRequest,
  receiving: Receiving,
  mostFiles: number,
): Promise<ReceivedFile[]> => {
  try {
    return await receiveParts(request, receiving, mostFiles);
  } catch (error) {
    // A browser reads the reply only after it has sent everything: take the rest and throw it away.
    request.raw.unpipe();
    request.raw.resume();
    throw error;
  }
};
