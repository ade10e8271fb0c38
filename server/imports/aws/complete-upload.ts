import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { insertAwaitedFile } from '../../db/stores/awaited-files.ts';
import { findObject, type ImportObjectRow, lockObject, setFileOfObject } from '../../db/stores/import-objects.ts';
import { type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import { countFiles } from '../../db/stores/received-files.ts';
import { Refusal } from '../../refusal.ts';
import { ensureUploading } from '../receive/enter-files.ts';
import type { AwsUploading } from './begin-upload.ts';
import { objectKey } from './object-key.ts';
import { partsOf } from './part-plan.ts';

/** Puts the object together, unless it is already. Whether it is whole now is seen by its size. */
const putTogether = async ({ store }: AwsUploading, row: ImportObjectRow): Promise<void> => {
  if (row.upload_id === null) throw new Refusal('conflict');
  const objectAt = objectKey(row.task_id, row.name);
  const parts = await store.partsOf(objectAt, row.upload_id);
  if (!parts) return;
  const arrived = new Map(parts.map((part) => [part.number, part]));
  const wanted = partsOf(row.size_bytes, row.part_bytes).map(({ number, sizeBytes }) => {
    const part = arrived.get(number);
    if (part?.sizeBytes !== sizeBytes) throw new Refusal('conflict');
    return part;
  });
  await store.completeUpload(objectAt, row.upload_id, wanted);
};

/** A file belongs to an import that is still being uploaded; the lock keeps the step from changing under it. */
const keepRow = (db: Kysely<Schema>, { name, task_id }: ImportObjectRow, mostFiles: number): Promise<string> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, task_id, 'share');
    if (!task) throw new Refusal('import-not-found');
    ensureUploading(task);
    const row = await lockObject(transaction, name);
    if (!row || row.gone_at) throw new Refusal('import-wrong-step');
    if (row.file_id !== null) return row.file_id;
    // Some may have come by the other way.
    if ((await countFiles(transaction, task_id)) >= mostFiles)
      throw new Refusal('too-many-files', [{ fieldKey: 'file', vars: { max: mostFiles } }]);
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
 * All parts are up: the store puts them together, its object is looked at, and the file stands in the ledger. Asking again finds the same row.
 * @throws Refusal 'not-found' when no such upload was begun; 'conflict' when something is missing: begin it again to hear what; ObjectStoreFault
 */
export const completeUpload = async (
  uploading: AwsUploading,
  task: ImportTaskRow,
  key: string,
): Promise<{ fileId: string; awsFileName: string }> => {
  const { db, store, limits } = uploading;
  const row = await findObject(db, task.id, key);
  // What was answered once is answered again, whatever the import does by now.
  if (row?.file_id) return { fileId: row.file_id, awsFileName: row.name };
  ensureUploading(task);
  if (!row) throw new Refusal('not-found');
  await putTogether(uploading, row);
  const objectAt = objectKey(task.id, row.name);
  const sizeBytes = await store.sizeOf(objectAt);
  if (sizeBytes === row.size_bytes)
    return { fileId: await keepRow(db, row, limits.filesPerImport), awsFileName: row.name };
  if (sizeBytes !== null) await store.discard(objectAt, row.upload_id);
  throw new Refusal('conflict');
};
