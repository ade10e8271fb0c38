import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../storage/storage-error.ts';
import { BackupError } from './backup-error.ts';

/** In a backup folder: `<name>/manifest.json`, `<name>/files.gz`, `<name>/database/<table>.gz`, `<name>/files/<two digits>/<sha256>`. */
export const manifestName = 'manifest.json';
export const fileListName = 'files.gz';
export const tableFileName = (table: string): string => path.join('database', `${table}.gz`);
export const storedFileName = (sha256: string): string => path.join('files', sha256.slice(0, 2), sha256);

/** Ending of a backup that is not complete. */
export const partialEnding = '.partial';

/** Ending of a backup that is being removed. */
export const removingEnding = '.removing';

/** Returns the name of a backup made at this time, for example `2026-11-24T02-00-00Z`. */
export const backupName = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** Returns the time in the name of a backup. */
export const timeOfBackup = (name: string): Date => {
  const [day = '', time = ''] = name.split('T');
  return new Date(`${day}T${time.replaceAll('-', ':')}`);
};

const isBackup = (name: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/.test(name);
const isBackupWith = (ending: string) => (name: string) =>
  name.endsWith(ending) && isBackup(name.slice(0, -ending.length));

/** Returns the names in a folder of backups, the oldest first; none when the folder does not exist. */
export const backupsIn = async (
  folder: string,
): Promise<Readonly<Record<'complete' | 'partial' | 'removing', readonly string[]>>> => {
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return {
    complete: names.filter(isBackup).sort(),
    partial: names.filter(isBackupWith(partialEnding)).sort(),
    removing: names.filter(isBackupWith(removingEnding)),
  };
};

const isComplete = (folder: string): Promise<boolean> =>
  access(path.join(folder, manifestName)).then(
    () => true,
    () => false,
  );

/** Returns the complete backups of a folder, the newest first; a folder that is itself a backup is the only one. @throws BackupError without any */
export const backupFolders = async (from: string): Promise<readonly string[]> => {
  if (await isComplete(from)) return [from];
  const { complete } = await backupsIn(from);
  if (complete.length === 0) throw new BackupError(`There is no complete backup in ${from}`);
  return complete.toReversed().map((name) => path.join(from, name));
};
