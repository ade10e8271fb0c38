import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportFileRow, type ImportTaskRow, settleFile } from '../../db/stores/imports.ts';
import { type EntryOutcome, insertEntry, pathsOfEntries, unpackedBefore } from '../../db/stores/zip-entries.ts';
import type { FileStore } from '../../storage/file-store.ts';
import type { OnSettled } from '../on-settled.ts';
import { FileError, fileErrorOf } from './file-error.ts';
import { bytesOfEntry } from './zip/zip-bytes.ts';
import { readZipDirectory } from './zip/zip-directory.ts';
import type { ZipEntry } from './zip/zip-entry.ts';

export interface Unpacking {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly limits: ImportLimits;
  readonly onSettled?: OnSettled | undefined;
}

/** Called after each entry whose row is written. */
export type OnEntry = (done: number, total: number) => Promise<void>;

/** Entries that are unpacked at the same time. */
const workers = 3;

/** @throws the reason of `signal`, and errors of neither the entry nor the storage */
const unpackEntry = async (
  { files }: Unpacking,
  path: string,
  entry: ZipEntry,
  signal: AbortSignal,
): Promise<EntryOutcome> => {
  if (entry.problem) return entry.problem;
  try {
    return await files.put(bytesOfEntry(path, entry, signal), entry.sizeBytes);
  } catch (error) {
    signal.throwIfAborted();
    const { problem, detail } = fileErrorOf(error);
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
  const held = await pathsOfEntries(deps.db, zip.id);
  const waiting = entries.filter((entry) => !held.has(entry.path)).values();
  let done = entries.length - entries.filter((entry) => !held.has(entry.path)).length;
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const runWorker = async (): Promise<void> => {
    for (const entry of waiting) {
      stop.throwIfAborted();
      const outcome = await unpackEntry(deps, path, entry, stop);
      await insertEntry(deps.db, zip, entry, outcome);
      if ('problem' in outcome) deps.onSettled?.([{ status: 'refused' }]);
      done += 1;
      await onEntry(done, entries.length);
    }
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: workers }, () =>
      runWorker().catch((error) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
  signal.throwIfAborted();
  if (outcomes.some(({ status }) => status === 'rejected')) throw failed.signal.reason;
};

/**
 * Unpacks a received zip: writes a row for each entry (`received`, or refused with its problem), then the zip's own row (`unpacked`, or
 * refused). Entries that have a row are skipped, so it can resume. A bad entry does not affect others; a bad archive is refused before
 * unpacking. Memory use is a few blocks. Folders and system files (`__MACOSX`, `Thumbs.db`) get no rows. `limits` apply to all zips of the
 * task together.
 * @throws the reason of `signal`, and errors that do not concern the zip, such as an unavailable database
 */
export const unpackZip = async (
  deps: Unpacking,
  _task: ImportTaskRow,
  row: ImportFileRow,
  signal: AbortSignal,
  onEntry: OnEntry,
): Promise<void> => {
  try {
    if (row.sha256 === null) throw new FileError('file-missing', 'its bytes never came');
    await unpackAll(deps, row, await deps.files.localPath(row.sha256), signal, onEntry);
  } catch (error) {
    signal.throwIfAborted();
    const { problem, detail } = fileErrorOf(error);
    await settleFile(deps.db, row.id, 'received', { status: 'refused', problem, detail });
    deps.onSettled?.([{ status: 'refused' }]);
    return;
  }
  await settleFile(deps.db, row.id, 'received', { status: 'unpacked' });
};
