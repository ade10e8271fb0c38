import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { insertAwaitedFile } from '../../db/stores/awaited-files.ts';
import { findObject, type ImportObjectRow, lockObject, setFileOfObject } from '../../db/stores/import-objects.ts';
import { type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import { countFiles } from '../../db/stores/received-files.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { ensureUploading } from '../receive/insert-files.ts';
import type { AwsUploading } from './begin-upload.ts';
import { objectKey } from './object-key.ts';
import { partsOf } from './part-plan.ts';

/** Completes the upload, unless it is complete already. The size shows whether the object is whole. */
const putTogether = async ({ store }: AwsUploading, row: ImportObjectRow): Promise<void> => {
  if (row.upload_id === null) throw new ProblemError('conflict');
  const objectAt = objectKey(row.task_id, row.name);
  const parts = await store.partsOf(objectAt, row.upload_id);
  if (!parts) return;
  const arrived = new Map(parts.map((part) => [part.number, part]));
  const completed = partsOf(row.size_bytes, row.part_bytes).map(({ number, sizeBytes }) => {
    const part = arrived.get(number);
    if (part?.sizeBytes !== sizeBytes) throw new ProblemError('conflict');
    return part;
  });
  await store.completeUpload(objectAt, row.upload_id, completed);
};

/** Inserts the file row while the import still uploads; the lock keeps the step from changing. */
const insertRow = (db: Kysely<Schema>, { name, task_id }: ImportObjectRow, maxFiles: number): Promise<string> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, task_id, 'share');
    if (!task) throw new ProblemError('import-not-found');
    ensureUploading(task);
    const row = await lockObject(transaction, name);
    if (!row || row.gone_at) throw new ProblemError('import-wrong-step');
    if (row.file_id !== null) return row.file_id;
    // Other files may have come through the archive itself.
    if ((await countFiles(transaction, task_id)) >= maxFiles)
      throw new ProblemError('too-many-files', [{ fieldKey: 'file', vars: { max: maxFiles } }]);
    const fileId = randomUUID();
    await insertAwaitedFile(transaction, {
      id: fileId,
      taskId: task_id,
      path: row.path,
      sizeBytes: row.size_bytes,
      awsName: name,
    });
    await setFileOfObject(transaction, name, fileId);
    return fileId;
  });

/**
 * Completes an upload, checks the size of the object and inserts its file row. Idempotent: a repeated call returns the same row.
 * @throws ProblemError 'not-found' for an unknown upload; 'conflict' when parts are missing (begin again to learn which); ObjectStoreError
 */
export const completeUpload = async (
  uploading: AwsUploading,
  task: ImportTaskRow,
  key: string,
): Promise<{ fileId: string; awsFileName: string }> => {
  const { db, store, limits } = uploading;
  const row = await findObject(db, task.id, key);
  // A repeated request gets the same reply at any step of the import.
  if (row?.file_id) return { fileId: row.file_id, awsFileName: row.name };
  ensureUploading(task);
  if (!row) throw new ProblemError('not-found');
  await putTogether(uploading, row);
  const objectAt = objectKey(task.id, row.name);
  const sizeBytes = await store.sizeOf(objectAt);
  if (sizeBytes === row.size_bytes)
    return { fileId: await insertRow(db, row, limits.filesPerImport), awsFileName: row.name };
  if (sizeBytes !== null) await store.discard(objectAt, row.upload_id);
  throw new ProblemError('conflict');
};
