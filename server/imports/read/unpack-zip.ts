import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { FileProblem } from '../../../contract/imports.ts';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportFileRow, type ImportTaskRow, settleFile } from '../../db/stores/imports.ts';
import type { FileStore, StoredFile } from '../../storage/file-store.ts';
import { RefusedFile, refusalOf } from './refused-file.ts';
import { bytesOfEntry } from './zip/zip-bytes.ts';
import { readZipDirectory } from './zip/zip-directory.ts';
import type { ZipEntry } from './zip/zip-entry.ts';

export interface Unpacking {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly limits: ImportLimits;
}

/** Told after each entry that has its row: how many of how many. */
export type OnEntry = (done: number, total: number) => Promise<void>;

type Outcome = StoredFile | { readonly problem: FileProblem; readonly detail: string };

/** Entries that wait for the disk and for the processor at the same time. */
const lanes = 3;
const longestName = 255;

/** What the zips of this task gave so far, but for `zipId`: a zip within a zip may not do what one alone may not. */
const unpackedBefore = async (db: Kysely<Schema>, taskId: string, zipId: string) => {
  const { entries, bytes } = await db
    .selectFrom('import_file')
    .select(({ fn }) => [fn.countAll<string>().as('entries'), fn.sum<string | null>('size_bytes').as('bytes')])
    .where('task_id', '=', taskId)
    .where('container_id', 'is not', null)
    .where('container_id', '!=', zipId)
    .where('sha256', 'is not', null)
    .executeTakeFirstOrThrow();
  return { entries: Number(entries), bytes: Number(bytes ?? 0) };
};

const pathsOf = async (db: Kysely<Schema>, zipId: string): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom('import_file').select('path').where('container_id', '=', zipId).execute();
  return new Set(rows.map(({ path }) => path));
};

const keepRow = async (
  db: Kysely<Schema>,
  zip: ImportFileRow,
  { index, path, sizeBytes }: ZipEntry,
  outcome: Outcome,
): Promise<void> => {
  const name = path.slice(path.lastIndexOf('/') + 1) || 'unnamed';
  await db
    .insertInto('import_file')
    .values({
      id: randomUUID(),
      task_id: zip.task_id,
      container_id: zip.id,
      path,
      file_name: name.slice(0, longestName),
      ...('sha256' in outcome
        ? { status: 'received', sha256: outcome.sha256, size_bytes: outcome.sizeBytes }
        : { status: 'refused', size_bytes: sizeBytes, ...outcome }),
      // Files are listed as they came: those of a zip in its order, whichever was unpacked first.
      received_at: sql`${zip.received_at}::timestamptz + ${index + 1}::integer * interval '1 microsecond'`,
    })
    // Another node that held the task before may have come as far.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** @throws the reason of `signal`, and what is neither the entry's fault nor that of the storage */
const unpackEntry = async (
  { files }: Unpacking,
  path: string,
  entry: ZipEntry,
  signal: AbortSignal,
): Promise<Outcome> => {
  if (entry.problem) return entry.problem;
  try {
    return await files.put(bytesOfEntry(path, entry, signal), entry.sizeBytes);
  } catch (error) {
    signal.throwIfAborted();
    const { problem, detail } = refusalOf(error);
    return { problem, detail };
  }
};

const unpackAll = async (
  deps: Unpacking,
  zip: ImportFileRow,
  path: string,
  signal: AbortSignal,
  onEntry: OnEntry,
): Promise<void> => {
  const before = await unpackedBefore(deps.db, zip.task_id, zip.id);
  const entries = await readZipDirectory(path, {
    ...deps.limits,
    zipEntries: deps.limits.zipEntries - before.entries,
    zipBytes: deps.limits.zipBytes - before.bytes,
  });
  const held = await pathsOf(deps.db, zip.id);
  const waiting = entries.filter((entry) => !held.has(entry.path)).values();
  let done = entries.length - entries.filter((entry) => !held.has(entry.path)).length;
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const lane = async (): Promise<void> => {
    for (const entry of waiting) {
      stop.throwIfAborted();
      await keepRow(deps.db, zip, entry, await unpackEntry(deps, path, entry, stop));
      done += 1;
      await onEntry(done, entries.length);
    }
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      lane().catch((error) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
  signal.throwIfAborted();
  if (outcomes.some(({ status }) => status === 'rejected')) throw failed.signal.reason;
};

/**
 * Unpacks a received zip: a row for each entry (`received` with its bytes in the store, or refused with its problem), then the zip's own row
 * (`unpacked`, or refused with the fault). Entries that have a row are not unpacked again, so that it goes on where it was stopped.
 * A bad entry harms no other; a bad archive is refused before anything is unpacked. Of what it unpacks it never holds more than some blocks.
 * Folders, and what systems leave behind (`__MACOSX`, `Thumbs.db`), have no rows. The bounds of `limits` hold for all zips of the task together.
 * @throws the reason of `signal`, and what has nothing to do with the zip, such as a database that is away
 */
export const unpackZip = async (
  deps: Unpacking,
  _task: ImportTaskRow,
  row: ImportFileRow,
  signal: AbortSignal,
  onEntry: OnEntry,
): Promise<void> => {
  try {
    if (row.sha256 === null) throw new RefusedFile('file-missing', 'its bytes never came');
    await unpackAll(deps, row, await deps.files.localPath(row.sha256), signal, onEntry);
  } catch (error) {
    signal.throwIfAborted();
    const { problem, detail } = refusalOf(error);
    await settleFile(deps.db, row.id, 'received', { status: 'refused', problem, detail });
    return;
  }
  await settleFile(deps.db, row.id, 'received', { status: 'unpacked' });
};
