import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Database } from '../db/client.ts';
import { openSnapshot, type Snapshot } from '../db/snapshot.ts';
import type { Pace } from '../storage/file-store.ts';
import type { FilesRoot } from '../storage/files-home.ts';
import { shards, syncFolder } from '../storage/folders.ts';
import { codeOf } from '../storage/storage-error.ts';
import { copyFiles, type EarlierBackup, paced } from './copy-files.ts';
import { listDestroyedRecords } from './destroyed-records.ts';
import { type Chunks, encryptionOf, type Transform } from './encryption.ts';
import { backupName, backupsIn, fileListName, manifestName, partialEnding, tableFileName } from './layout.ts';
import { type AbsentFile, type BackedUpFile, type BackupManifest, lineOf } from './manifest.ts';
import { readFileList, readManifest } from './read-backup.ts';
import { writeDurably } from './write-durably.ts';

export interface BackupOptions {
  readonly database: Database;
  /** The files of the archive. */
  readonly root: FilesRoot;
  /** The folder of backups, which exists; a new one is created in it. */
  readonly to: string;
  /** Links files of the newest backup in `to` and of an interrupted one. */
  readonly incremental: boolean;
  /** Version of this program. */
  readonly version: string;
  /** Retention of the files of finished imports. */
  readonly keepMs: number;
  /** Throttles reading, and may stop the backup by throwing; unlimited when omitted. */
  readonly pace?: Pace;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

export interface BackupResult {
  readonly folder: string;
  readonly at: string;
  readonly encrypted: boolean;
  readonly files: number;
  readonly sizeBytes: number;
  readonly copied: number;
  readonly linked: number;
  /** Referenced files that are not in the backup. */
  readonly absent: readonly AbsentFile[];
}

const gzipped = (source: Chunks): Chunks => pipeline(source, createGzip(), () => undefined);

const writeZipped = (folder: string, file: string, source: Chunks, encrypt: Transform | null) =>
  writeDurably(path.join(folder, file), encrypt ? encrypt(gzipped(source)) : gzipped(source)).then((written) => ({
    file,
    ...written,
  }));

/** Returns the newest backup that can be read; null without any. */
const newestBackup = async (to: string): Promise<EarlierBackup | null> => {
  for (const name of (await backupsIn(to)).complete.toReversed()) {
    const folder = path.join(to, name);
    const files = await readManifest(folder)
      .then((manifest) => readFileList(folder, manifest))
      .catch(() => null);
    if (files) return { folder, files: new Map(files.map((file) => [file.sha256, file])) };
  }
  return null;
};

const linesOf = async function* (files: readonly BackedUpFile[]): Chunks {
  for (let at = 0; at < files.length; at += 1000)
    yield Buffer.from(
      files
        .slice(at, at + 1000)
        .map(lineOf)
        .join(''),
    );
};

/** Not recursive: with the disk of the backups gone, its parent is missing. */
const ensureFolder = (folder: string): Promise<void> =>
  mkdir(folder).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });

/** Creates the folder of the new backup. An interrupted one is continued or removed. */
const makeFolder = async (to: string, partial: string, incremental: boolean): Promise<void> => {
  const [interrupted] = incremental ? (await backupsIn(to)).partial.slice(-1) : [];
  if (interrupted !== undefined && interrupted !== path.basename(partial))
    await rename(path.join(to, interrupted), partial);
  for (const name of (await backupsIn(to)).partial)
    if (!incremental || name !== path.basename(partial)) await rm(path.join(to, name), { recursive: true });
  for (const name of ['', 'database', 'files', ...shards.map((shard) => path.join('files', shard))])
    await ensureFolder(path.join(partial, name));
};

const writeTables = async (
  snapshot: Snapshot,
  folder: string,
  encrypt: Transform | null,
  { pace, onProgress }: Required<Pick<BackupOptions, 'pace' | 'onProgress'>>,
): Promise<BackupManifest['tables']> => {
  const tables: BackupManifest['tables'] = [];
  for (const table of snapshot.tables) {
    const written = await writeZipped(folder, tableFileName(table.name), paced(snapshot.read(table), pace), encrypt);
    tables.push({ ...written, name: table.name, columns: [...table.columns] });
    onProgress('Database, tables', tables.length, snapshot.tables.length);
  }
  return tables;
};

/**
 * Writes a backup: the database at one moment, then the files that it references then. Servers may run meanwhile; no other
 * backup may (`run-backup.ts`).
 * @throws DatabaseEmpty, errors of the database and the file system
 */
export const writeBackup = async (options: BackupOptions): Promise<BackupResult> => {
  const { database, root, to, incremental, version, keepMs, onProgress, pace = async () => undefined } = options;
  const encrypt = await encryptionOf(to);
  const snapshot = await openSnapshot(database);
  try {
    const folder = path.join(to, backupName(snapshot.at));
    const partial = `${folder}${partialEnding}`;
    const earlier = incremental ? await newestBackup(to) : null;
    await makeFolder(to, partial, incremental);
    const hashList = path.join(partial, 'referenced');
    await rm(hashList, { force: true });
    const tables = await writeTables(snapshot, partial, encrypt, { pace, onProgress });
    await snapshot.writeReferencedFiles(hashList, keepMs);
    await snapshot.end();
    const hashes = (await readFile(hashList, 'utf8')).split('\n').filter((line) => line !== '');
    await rm(hashList);
    const copies = await copyFiles({
      root,
      target: partial,
      hashes,
      earlier,
      encrypt,
      pace,
      onProgress: (done, total) => onProgress('Files', done, total),
    });
    const list = await writeZipped(partial, fileListName, linesOf(copies.files), null);
    const sizeBytes = copies.files.reduce((sum, file) => sum + file.sizeBytes, 0);
    const manifest: BackupManifest = {
      format: 1,
      version,
      at: snapshot.at.toISOString(),
      encryption: encrypt ? 'age' : 'none',
      migrations: [...snapshot.migrations],
      counts: snapshot.counts,
      tables,
      files: { count: copies.files.length, sizeBytes, list, absent: [...copies.absent] },
    };
    for (const shard of shards) await syncFolder(path.join(partial, 'files', shard));
    await syncFolder(path.join(partial, 'database'));
    await writeDurably(path.join(partial, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    await syncFolder(partial);
    await listDestroyedRecords(database.db, to);
    await rename(partial, folder);
    await syncFolder(to);
    const { absent, copied, linked } = copies;
    return {
      folder,
      at: manifest.at,
      encrypted: encrypt !== null,
      files: copies.files.length,
      sizeBytes,
      copied,
      linked,
      absent,
    };
  } finally {
    snapshot.close();
  }
};
