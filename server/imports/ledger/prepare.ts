import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import { receivedFiles } from '../../db/stores/import-files.ts';
import { settleFiles } from '../../db/stores/import-outcomes.ts';
import { advance, findTask, type ImportFileRow, type ImportTaskRow } from '../../db/stores/imports.ts';
import { depthOfZip } from '../../db/stores/zip-entries.ts';
import { inParallel } from '../../jobs/in-parallel.ts';
import { Stopped } from '../../jobs/stopped.ts';
import { type FileStore, StorageError } from '../../storage/file-store.ts';
import type { OnSettled } from '../on-settled.ts';
import { FileError, fileErrorOf } from '../read/file-error.ts';
import { fileKind, isPacked } from '../read/file-kind.ts';
import type { Reading } from '../read/read-file.ts';
import { unpackZip } from '../read/unpack-zip.ts';
import type { ImportEvents } from './import-events.ts';
import { missingBytes, waitsForBytes } from './missing-bytes.ts';

/** Copies a file from the object store into the file store and commits its hash to its row. */
export type FetchFromObjectStore = (
  row: ImportFileRow,
  signal: AbortSignal,
) => Promise<{ readonly sha256: string; readonly sizeBytes: number }>;

export interface Preparing {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly limits: ImportLimits;
  readonly events: ImportEvents;
  /** Null when no object store is configured. */
  readonly fetchFromObjectStore: FetchFromObjectStore | null;
  readonly reading: Reading;
  readonly onSettled?: OnSettled | undefined;
}

const parallelChecks = 4;

/** Returns a file whose bytes are in the store. @throws FileError; StorageError */
const withBytes = async (
  { files, fetchFromObjectStore }: Preparing,
  row: ImportFileRow,
  signal: AbortSignal,
): Promise<{ readonly sha256: string; readonly sizeBytes: number }> => {
  if (row.sha256 === null && row.aws_name !== null) {
    if (!fetchFromObjectStore) throw new FileError('storage-failed', 'there is no object store to fetch it from');
    return await fetchFromObjectStore(row, signal);
  }
  if (row.sha256 === null) throw new FileError('storage-failed', 'its bytes never came');
  const size = await files.sizeOf(row.sha256);
  if (size === null) throw new StorageError('missing', 'The bytes of a received file are not in the store');
  if (size !== row.size_bytes) throw new FileError('storage-failed', 'the store holds another number of bytes');
  return { sha256: row.sha256, sizeBytes: row.size_bytes };
};

const isPackedFile = async ({ files }: Preparing, sha256: string): Promise<boolean> =>
  isPacked(await fileKind(await files.localPath(sha256)));

const refuse = async ({ db, onSettled }: Preparing, row: ImportFileRow, error: unknown): Promise<void> => {
  const { problem, detail } = fileErrorOf(error);
  const refused = [{ id: row.id, status: 'refused', problem, detail }] as const;
  await settleFiles(db, ['received'], refused);
  onSettled?.(refused);
};

const unpack = async (
  preparing: Preparing,
  task: ImportTaskRow,
  row: ImportFileRow,
  signal: AbortSignal,
  onEntry: (done: number, total: number) => Promise<void>,
): Promise<void> => {
  const { db, limits } = preparing;
  const depth = await depthOfZip(db, row);
  if (depth > limits.zipDepth) {
    return refuse(preparing, row, new FileError('too-deep', `a zip within ${limits.zipDepth} others is not unpacked`));
  }
  await unpackZip(preparing, task, row, signal, onEntry);
};

/**
 * Checks that acknowledged bytes are in the store, fetches files from the object store, and unpacks zips, before any decoder is used.
 * @throws Stopped; the reason of `signal`; errors that do not concern the files
 */
export const prepare = async (preparing: Preparing, task: ImportTaskRow, signal: AbortSignal): Promise<void> => {
  const { db, events } = preparing;
  await events.preparing(task);
  const progress = events.counter(task, 'preparing', 0, 0);
  const checked = new Set<string>();
  let missing = 0;
  for (;;) {
    const rows = await receivedFiles(db, task.id, checked);
    if (rows.length === 0) break;
    const zips: ImportFileRow[] = [];
    let done = 0;
    await inParallel(rows, parallelChecks, async (row) => {
      signal.throwIfAborted();
      checked.add(row.id);
      try {
        const { sha256, sizeBytes } = await withBytes(preparing, row, signal);
        if (await isPackedFile(preparing, sha256)) zips.push({ ...row, sha256, size_bytes: sizeBytes });
      } catch (error) {
        signal.throwIfAborted();
        if (waitsForBytes(preparing.reading, task, error)) missing += 1;
        else await refuse(preparing, row, error);
      }
      done += 1;
      await progress.report(done, rows.length + 1);
    });
    for (const zip of zips) await unpack(preparing, task, zip, signal, progress.report);
    if ((await findTask(db, task.id))?.error) throw new Stopped();
  }
  if (missing > 0) throw missingBytes(missing);
  await advance(db, task.id, 'preparing');
};
