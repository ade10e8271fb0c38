import path from 'node:path';
import { markFolder } from '../archive-folder/open-folder.ts';
import { archiveCounts } from '../db/archive-counts.ts';
import type { Database } from '../db/client.ts';
import { loadTables } from '../db/load-tables.ts';
import { migrate, migrateTo } from '../db/migrate.ts';
import { inParallel } from '../jobs/in-parallel.ts';
import type { FilesRoot } from '../storage/files-home.ts';
import { homeOf } from '../storage/home-of.ts';
import { isMissing } from '../storage/storage-error.ts';

import { BackupError } from './backup-error.ts';
import { repeatDestructions } from './destroyed-records.ts';
import type { AbsentFile, BackedUpFile } from './manifest.ts';
import { type Backup, checkBackup } from './read-backup.ts';

/** In the files folder while it is being filled: names the backup. */
const restoringName = 'restoring';

export interface RestoreOptions {
  readonly backup: Backup;
  readonly database: Database;
  /** The files of the archive: an empty folder or bucket. */
  readonly root: FilesRoot;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

export interface RestoreResult {
  readonly files: number;
  readonly sizeBytes: number;
  /** Files that the restored database references, but which the backup does not have intact. */
  readonly absent: readonly AbsentFile[];
  /** Orders to destroy records, later than the backup, that the server carries out again when it starts. */
  readonly destroyedAgain: number;
}

/** Only an empty folder or bucket is filled, or one that an interrupted restore of the same backup has begun. */
const ensureEmptyFolder = async (root: FilesRoot, at: string): Promise<void> => {
  const home = homeOf(root);
  if (await home.isEmpty()) return;
  const restoring = await home.readMark(restoringName);
  if (restoring === at) return;
  const called = `The ${home.kind === 'folder' ? 'files folder' : 'bucket'} ${home.name}`;
  const other = home.kind === 'folder' ? 'Move it away, or choose another data folder' : 'Choose another bucket';
  throw new BackupError(
    restoring === null
      ? `${called} is not empty: nothing was changed. ${other}`
      : `The restore of the backup of ${restoring} to ${home.name} was interrupted: restore that one, or remove the ${home.kind}`,
  );
};

const ensureEmptyDatabase = async ({ pool }: Database): Promise<void> => {
  const { clinics, users, patients, images, newestImage } = await archiveCounts(pool);
  if (clinics + users + patients + images === 0) return;
  throw new BackupError(
    `The database is not empty: nothing was changed. It has ${clinics} clinics, ${users} users, ${patients} patients and ${images} images` +
      `${newestImage ? ` (the newest of ${newestImage})` : ''}, which a restore would lose. Choose an empty database or another data folder`,
  );
};

const atOnce = 4;
const filesPerSync = 64;

const restoreFiles = async (
  { backup, root, onProgress }: RestoreOptions,
  files: readonly BackedUpFile[],
): Promise<AbsentFile[]> => {
  const store = await homeOf(root).openStore();
  const absent: AbsentFile[] = [];
  let done = 0;
  const groups = Array.from({ length: Math.ceil(files.length / filesPerSync) }, (_, index) =>
    files.slice(index * filesPerSync, (index + 1) * filesPerSync),
  );
  await inParallel(groups, atOnce, async (group) => {
    for (const { sha256, sizeBytes } of group) {
      done += 1;
      // A name in the store means that the bytes are complete: an interrupted restore has left it.
      if ((await store.sizeOf(sha256)) === sizeBytes) continue;
      const batch = store.batch();
      try {
        const stored = await batch.add(backup.openFile(sha256));
        if (stored.sha256 === sha256) await batch.keep();
        else absent.push({ sha256, problem: 'damaged' });
      } catch (error) {
        if (isMissing(error)) absent.push({ sha256, problem: 'missing' });
        else throw error;
      } finally {
        await batch.discard();
      }
    }
    onProgress('Files', done, files.length);
  });
  return absent;
};

/**
 * Fills an empty installation with a backup and migrates it to this version. The backup is checked first; a damaged copy of the database
 * stops it, a damaged file is left out and reported.
 * @throws BackupError, StartupError for a backup of a newer version, errors of the database and the file system
 */
export const restoreBackup = async (options: RestoreOptions): Promise<RestoreResult> => {
  const { backup, database, root, onProgress } = options;
  const { manifest } = backup;
  await ensureEmptyDatabase(database);
  await ensureEmptyFolder(root, manifest.at);
  const faults = await checkBackup(backup, {
    full: false,
    onProgress: (done, total) => onProgress('Comparing with the manifest, files', done, total),
  });
  const ofDatabase = faults.find(({ file }) => !file.startsWith(`files${path.sep}`));
  if (ofDatabase)
    throw new BackupError(`${path.join(backup.folder, ofDatabase.file)} is ${ofDatabase.problem}: nothing was changed`);
  await homeOf(root).create();
  await homeOf(root).writeMark(restoringName, manifest.at);
  const files = await backup.readFileList();
  const absent = await restoreFiles(options, files);
  onProgress('Database, tables', 0, manifest.tables.length);
  await migrateTo(database.db, manifest.migrations);
  await loadTables(
    database,
    manifest.tables.map((table) => ({ ...table, open: () => backup.openTable(table) })),
  );
  await migrate(database.db);
  const destroyedAgain = await repeatDestructions(database.db, path.dirname(backup.folder));
  onProgress('Database, tables', manifest.tables.length, manifest.tables.length);
  await markFolder(database.db, root);
  await homeOf(root).removeMark(restoringName);
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  return {
    files: files.length - absent.length,
    sizeBytes,
    absent: [...manifest.files.absent, ...absent],
    destroyedAgain,
  };
};
