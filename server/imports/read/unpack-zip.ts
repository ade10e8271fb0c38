import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../../contract/uploads.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportFileRow, type ImportTaskRow, settleFile } from '../../db/stores/imports.ts';
import { type EntryOutcome, insertEntry, pathsOfEntries, unpackedBefore } from '../../db/stores/zip-entries.ts';
import type { FileStore } from '../../storage/file-store.ts';
import type { OnSettled } from '../on-settled.ts';
import { FileError, fileErrorOf } from './file-error.ts';
import { fileKind } from './file-kind.ts';
import { bytesOfGzip, nameInGzip } from './gzip-bytes.ts';
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

/** A file in a zip or gzip, not yet unpacked. */
interface PackedFile extends Pick<ZipEntry, 'index' | 'path' | 'problem' | 'sizeBytes'> {
  readonly bytes: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** Maximum size when unpacked. */
  readonly limitBytes: number;
}

/** Returns the files of a zip, or the only one of a gzip. @throws as `readZipDirectory` */
const filesIn = async (row: ImportFileRow, path: string, limits: ImportLimits): Promise<readonly PackedFile[]> => {
  if ((await fileKind(path)) === 'gzip') {
    if (limits.zipEntries < 1) throw new FileError('zip-too-many-entries', 'the limit of entries is reached');
    const sizeBytes = row.size_bytes;
    const limitBytes = Math.min(limits.fileBytes, limits.zipBytes);
    const bytes = (signal: AbortSignal) => bytesOfGzip(path, sizeBytes, limits, signal);
    return [{ index: 0, path: nameInGzip(row.file_name), problem: null, sizeBytes, limitBytes, bytes }];
  }
  return (await readZipDirectory(path, limits)).map((entry) => ({
    ...entry,
    limitBytes: entry.sizeBytes,
    bytes: (signal) => bytesOfEntry(path, entry, signal),
  }));
};

/** @throws the reason of `signal`, and errors of neither the entry nor the storage */
const unpackEntry = async ({ files }: Unpacking, entry: PackedFile, signal: AbortSignal): Promise<EntryOutcome> => {
  if (entry.problem) return entry.problem;
  try {
    return await files.put(entry.bytes(signal), entry.limitBytes);
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
  const entries = await filesIn(zip, path, {
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
      const outcome = await unpackEntry(deps, entry, stop);
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
 * Unpacks a received zip, or a gzip with one file: writes a row for each entry (`received`, or refused with its problem), then the zip's own row (`unpacked`, or
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
