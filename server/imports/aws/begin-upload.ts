import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import {
  countUnfinished,
  ensureObject,
  findObject,
  type ImportObjectRow,
  markTaskOfObjects,
  replaceUpload,
} from '../../db/stores/import-objects.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import { countFiles } from '../../db/stores/received-files.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { ObjectStore, StoredPart } from '../../storage/object-store.ts';
import { ensureUploading } from '../receive/insert-files.ts';
import { sizeLimitOf } from '../receive/size-limit.ts';
import { directoryOf, objectKey } from './object-key.ts';
import { partBytesFor, partsOf } from './part-plan.ts';

export interface AwsUploading {
  readonly db: Kysely<Schema>;
  readonly store: ObjectStore;
  readonly limits: ImportLimits;
}

/** URLs signed per reply; the client requests the next ones when these are used. */
const maxAddresses = 100;

interface NewUpload {
  readonly key: string;
  /** Already sanitized. */
  readonly path: string;
  readonly sizeBytes: number;
}

const newRow = async ({ db, limits }: AwsUploading, taskId: string, upload: NewUpload): Promise<ImportObjectRow> => {
  if (upload.sizeBytes > sizeLimitOf(limits, upload.path)) throw new ProblemError('too-large');
  if ((await countFiles(db, taskId)) + (await countUnfinished(db, taskId)) >= limits.filesPerImport)
    throw new ProblemError('too-many-files', [{ fieldKey: 'file', vars: { max: limits.filesPerImport } }]);
  await markTaskOfObjects(db, taskId);
  return ensureObject(db, { taskId, ...upload, partBytes: partBytesFor(upload.sizeBytes, limits.partBytes) });
};

interface Standing {
  readonly uploadId: string;
  readonly parts: readonly StoredPart[];
}

/** Returns the parts that the store has; opens the upload when there is none. Null: the object is complete. */
const standingOf = async ({ db, store }: AwsUploading, row: ImportObjectRow): Promise<Standing | null> => {
  const objectAt = objectKey(row.task_id, row.name);
  if (row.upload_id !== null) {
    const parts = await store.partsOf(objectAt, row.upload_id);
    if (parts) return { uploadId: row.upload_id, parts };
    // Completed already and the reply was lost, or expired by the store.
    if ((await store.sizeOf(objectAt)) === row.size_bytes) return null;
  }
  const uploadId = await store.createUpload(objectAt);
  if (await replaceUpload(db, row.name, row.upload_id, uploadId)) return { uploadId, parts: [] };
  // A concurrent request replaced the upload, or the import was cancelled. The row decides; the sweep removes our upload.
  const now = await findObject(db, row.task_id, row.key);
  if (!now?.upload_id || now.gone_at) throw new ProblemError('import-wrong-step');
  return { uploadId: now.upload_id, parts: (await store.partsOf(objectAt, now.upload_id)) ?? [] };
};

/**
 * Opens the upload of one file, or finds the open one, and signs URLs for the missing parts (the first hundred).
 * @throws ProblemError 'too-large', 'too-many-files', 'conflict', 'import-wrong-step'; ObjectStoreError
 */
export const beginUpload = async (uploading: AwsUploading, task: ImportTaskRow, upload: NewUpload) => {
  const { db, store } = uploading;
  const begun = await findObject(db, task.id, upload.key);
  // A complete upload is returned at any step of the import.
  if (!begun?.file_id) ensureUploading(task);
  const row = begun ?? (await newRow(uploading, task.id, upload));
  // Another file under the same key is rejected.
  if (row.size_bytes !== upload.sizeBytes || row.path !== upload.path)
    throw new ProblemError('conflict', [{ fieldKey: 'key' }]);
  const reply = {
    awsFileName: row.name,
    awsDirectroryKey: directoryOf(row.task_id),
    partBytes: row.part_bytes,
    fileId: row.file_id,
  };
  const whole = { ...reply, missing: [], receivedBytes: row.size_bytes };
  if (row.file_id !== null) return whole;
  const standing = await standingOf(uploading, row);
  if (!standing) return whole;
  const arrived = new Map(standing.parts.map(({ number, sizeBytes }) => [number, sizeBytes]));
  const planned = partsOf(row.size_bytes, row.part_bytes);
  const missing = planned.filter(({ number, sizeBytes }) => arrived.get(number) !== sizeBytes);
  const missingBytes = missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const objectAt = objectKey(row.task_id, row.name);
  return {
    ...reply,
    receivedBytes: row.size_bytes - missingBytes,
    missing: await Promise.all(
      missing.slice(0, maxAddresses).map(async ({ number, sizeBytes }) => ({
        number,
        url: await store.signPart(objectAt, standing.uploadId, number, sizeBytes),
      })),
    ),
  };
};
