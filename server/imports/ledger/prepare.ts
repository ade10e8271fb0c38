import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import { receivedFiles } from '../../db/stores/import-files.ts';
import { settleFiles } from '../../db/stores/import-outcomes.ts';
import { advance, findTask, type ImportFileRow, type ImportTaskRow } from '../../db/stores/imports.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { fileKind } from '../read/file-kind.ts';
import { RefusedFile, refusalOf } from '../read/refused-file.ts';
import { unpackZip } from '../read/unpack-zip.ts';
import type { ImportNews } from './import-news.ts';
import { inParallel } from './in-parallel.ts';
import { Stopped } from './stopped.ts';

/** Brings a file from the object store into the file store, and commits its hash to its row. */
export type FetchFromObjectStore = (
  row: ImportFileRow,
  signal: AbortSignal,
) => Promise<{ readonly sha256: string; readonly sizeBytes: number }>;

export interface Preparing {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly limits: ImportLimits;
  readonly news: ImportNews;
  /** Null when no object store is configured. */
  readonly fetchFromObjectStore: FetchFromObjectStore | null;
}

const parallelChecks = 4;

/** How deep a zip lies: 1 when it was sent as it is. */
const depthOf = async (db: Kysely<Schema>, row: ImportFileRow): Promise<number> => {
  let depth = 1;
  for (let container = row.container_id; container !== null; depth += 1) {
    const outer: { container_id: string | null } | undefined = await db
      .selectFrom('import_file')
      .select('container_id')
      .where('id', '=', container)
      .executeTakeFirst();
    container = outer?.container_id ?? null;
  }
  return depth;
};

/** A file with its bytes in the store. @throws RefusedFile; StorageFault */
const withBytes = async (
  { files, fetchFromObjectStore }: Preparing,
  row: ImportFileRow,
  signal: AbortSignal,
): Promise<{ readonly sha256: string; readonly sizeBytes: number }> => {
  if (row.sha256 === null && row.aws_name !== null) {
    if (!fetchFromObjectStore) throw new RefusedFile('storage-failed', 'there is no object store to fetch it from');
    return await fetchFromObjectStore(row, signal);
  }
  if (row.sha256 === null || (await files.sizeOf(row.sha256)) !== row.size_bytes) {
    throw new RefusedFile('storage-failed', 'the bytes that were received are not in the store any more');
  }
  return { sha256: row.sha256, sizeBytes: row.size_bytes };
};

const isZip = async ({ files }: Preparing, sha256: string): Promise<boolean> =>
  (await fileKind(await files.localPath(sha256))) === 'zip';

const refuse = async (db: Kysely<Schema>, row: ImportFileRow, error: unknown): Promise<void> => {
  const { problem, detail } = refusalOf(error);
  await settleFiles(db, ['received'], [{ id: row.id, status: 'refused', problem, detail }]);
};

const unpack = async (
  preparing: Preparing,
  task: ImportTaskRow,
  row: ImportFileRow,
  signal: AbortSignal,
  onEntry: (done: number, total: number) => Promise<void>,
): Promise<void> => {
  const { db, limits } = preparing;
  const depth = await depthOf(db, row);
  if (depth > limits.zipDepth) {
    return refuse(db, row, new RefusedFile('too-deep', `a zip within ${limits.zipDepth} others is not unpacked`));
  }
  await unpackZip(preparing, task, row, signal, onEntry);
};

/**
 * Looks whether the bytes that were acknowledged are there, fetches those that lie in the object store, and unpacks zips until there is none left:
 * before anybody waits for a decoder.
 * @throws Stopped; the reason of `signal`; what has nothing to do with the files
 */
export const prepare = async (preparing: Preparing, task: ImportTaskRow, signal: AbortSignal): Promise<void> => {
  const { db, news } = preparing;
  await news.preparing(task);
  const count = news.counter(task, 'preparing', 0, 0);
  const checked = new Set<string>();
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
        if (await isZip(preparing, sha256)) zips.push({ ...row, sha256, size_bytes: sizeBytes });
      } catch (error) {
        signal.throwIfAborted();
        await refuse(db, row, error);
      }
      done += 1;
      await count.tell(done, rows.length + 1);
    });
    for (const zip of zips) await unpack(preparing, task, zip, signal, count.tell);
    if ((await findTask(db, task.id))?.error) throw new Stopped();
  }
  await advance(db, task.id, 'preparing');
};
