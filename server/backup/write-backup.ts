import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Database } from '../db/client.ts';
import { openSnapshot, type Snapshot } from '../db/snapshot.ts';
import { shards, syncFolder } from '../storage/folders.ts';
import { copyFiles, type EarlierBackup } from './copy-files.ts';
import { type Chunks, encryptionOf, type Transform } from './encryption.ts';
import { backupName, backupsIn, fileListName, manifestName, partialEnding, tableFileName } from './layout.ts';
import { type AbsentFile, type BackedUpFile, type BackupManifest, lineOf } from './manifest.ts';
import { readFileList, readManifest } from './read-backup.ts';
import { writeDurably } from './write-durably.ts';

export interface BackupOptions {
  readonly database: Database;
  /** The files folder of the archive. */
  readonly root: string;
  /** The folder of backups; a new one is created in it. */
  readonly to: string;
  /** Links files of the newest backup in `to` and of an interrupted one. */
  readonly incremental: boolean;
  /** Version of this program. */
  readonly version: string;
  /** Retention of the files of finished imports. */
  readonly keepMs: number;
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

const newestBackup = async (to: string): Promise<EarlierBackup | null> => {
  const newest = (await backupsIn(to)).complete.at(-1);
  if (newest === undefined) return null;
  const folder = path.join(to, newest);
  const files = await readFileList(folder, await readManifest(folder));
  return { folder, files: new Map(files.map((file) => [file.sha256, file])) };
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

/** Creates the folder of the new backup. An interrupted one is continued or removed. */
const makeFolder = async (to: string, partial: string, incremental: boolean): Promise<void> => {
  const [interrupted] = incremental ? (await backupsIn(to)).partial.slice(-1) : [];
  if (interrupted !== undefined && interrupted !== path.basename(partial))
    await rename(path.join(to, interrupted), partial);
  for (const name of (await backupsIn(to)).partial)
    if (!incremental || name !== path.basename(partial)) await rm(path.join(to, name), { recursive: true });
  for (const shard of shards) await mkdir(path.join(partial, 'files', shard), { recursive: true });
};

const writeTables = async (
  snapshot: Snapshot,
  folder: string,
  encrypt: Transform | null,
  onProgress: BackupOptions['onProgress'],
): Promise<BackupManifest['tables']> => {
  const tables: BackupManifest['tables'] = [];
  for (const table of snapshot.tables) {
    const written = await writeZipped(folder, tableFileName(table.name), snapshot.read(table), encrypt);
    tables.push({ ...written, name: table.name, columns: [...table.columns] });
    onProgress('Database, tables', tables.length, snapshot.tables.length);
  }
  return tables;
};

/**
 * Writes a backup: the database at one moment, then the files that it references then. Servers may run meanwhile.
 * @throws BackupRuns, DatabaseEmpty, errors of the database and the file system
 */
export const writeBackup = async (options: BackupOptions): Promise<BackupResult> => {
  const { database, root, to, incremental, version, keepMs, onProgress } = options;
  await mkdir(to, { recursive: true, mode: 0o700 });
  const encrypt = await encryptionOf(to);
  const snapshot = await openSnapshot(database);
  try {
    const folder = path.join(to, backupName(snapshot.at));
    const partial = `${folder}${partialEnding}`;
    const earlier = incremental ? await newestBackup(to) : null;
    await makeFolder(to, partial, incremental);
    const hashList = path.join(partial, 'referenced');
    await rm(hashList, { force: true });
    const tables = await writeTables(snapshot, partial, encrypt, onProgress);
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
    await snapshot.close();
  }
};
