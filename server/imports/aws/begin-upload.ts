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
import { Refusal } from '../../refusal.ts';
import type { ObjectStore, StoredPart } from '../../storage/object-store.ts';
import { ensureUploading } from '../receive/enter-files.ts';
import { sizeLimitOf } from '../receive/size-limit.ts';
import { directoryOf, objectKey } from './object-key.ts';
import { partBytesFor, partsOf } from './part-plan.ts';

export interface AwsUploading {
  readonly db: Kysely<Schema>;
  readonly store: ObjectStore;
  readonly limits: ImportLimits;
}

/** Addresses that are signed for one reply; whoever has used them asks for the next. */
const mostAddresses = 100;

interface NewUpload {
  readonly key: string;
  /** Already made harmless. */
  readonly path: string;
  readonly sizeBytes: number;
}

const newRow = async ({ db, limits }: AwsUploading, taskId: string, upload: NewUpload): Promise<ImportObjectRow> => {
  if (upload.sizeBytes > sizeLimitOf(limits, upload.path)) throw new Refusal('too-large');
  if ((await countFiles(db, taskId)) + (await countUnfinished(db, taskId)) >= limits.filesPerImport)
    throw new Refusal('too-many-files', [{ fieldKey: 'file', vars: { max: limits.filesPerImport } }]);
  await markTaskOfObjects(db, taskId);
  return ensureObject(db, { taskId, ...upload, partBytes: partBytesFor(upload.sizeBytes, limits.partBytes) });
};

interface Standing {
  readonly uploadId: string;
  readonly parts: readonly StoredPart[];
}

/** What the store has of it; opens the upload when there is none (any more). Null: the object is whole already. */
const standingOf = async ({ db, store }: AwsUploading, row: ImportObjectRow): Promise<Standing | null> => {
  const objectAt = objectKey(row.task_id, row.name);
  if (row.upload_id !== null) {
    const parts = await store.partsOf(objectAt, row.upload_id);
    if (parts) return { uploadId: row.upload_id, parts };
    // Put together already, and the answer was lost: or ended by the store itself after some days.
    if ((await store.sizeOf(objectAt)) === row.size_bytes) return null;
  }
  const uploadId = await store.createUpload(objectAt);
  if (await replaceUpload(db, row.name, row.upload_id, uploadId)) return { uploadId, parts: [] };
  // Somebody asked at the same moment, or the import was given up: what is written down counts. The sweep finds what is left of ours.
  const now = await findObject(db, row.task_id, row.key);
  if (!now?.upload_id || now.gone_at) throw new Refusal('import-wrong-step');
  return { uploadId: now.upload_id, parts: (await store.partsOf(objectAt, now.upload_id)) ?? [] };
};

/**
 * Opens the upload of one file, or finds it as it stands, and signs an address for what is missing (the first hundred parts of it).
 * @throws Refusal 'too-large', 'too-many-files', 'conflict', 'import-wrong-step'; ObjectStoreFault
 */
export const beginUpload = async (uploading: AwsUploading, task: ImportTaskRow, upload: NewUpload) => {
  const { db, store } = uploading;
  const known = await findObject(db, task.id, upload.key);
  // What is whole is answered whatever the import does by now.
  if (!known?.file_id) ensureUploading(task);
  const row = known ?? (await newRow(uploading, task.id, upload));
  // What was refused takes no more of this file: a sender that names another file by the same key.
  if (row.size_bytes !== upload.sizeBytes || row.path !== upload.path)
    throw new Refusal('conflict', [{ fieldKey: 'key' }]);
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
      missing.slice(0, mostAddresses).map(async ({ number, sizeBytes }) => ({
        number,
        url: await store.signPart(objectAt, standing.uploadId, number, sizeBytes),
      })),
    ),
  };
};
