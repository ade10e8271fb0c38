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

/** Returns the name of a backup made at this time, for example `2026-11-24T02-00-00Z`. */
export const backupName = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

const isBackup = (name: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/.test(name);
const isPartial = (name: string): boolean =>
  name.endsWith(partialEnding) && isBackup(name.slice(0, -partialEnding.length));

/** Returns the names in a folder of backups, the oldest first; none when the folder does not exist. */
export const backupsIn = async (
  folder: string,
): Promise<{ readonly complete: readonly string[]; readonly partial: readonly string[] }> => {
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return { complete: names.filter(isBackup).sort(), partial: names.filter(isPartial).sort() };
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
