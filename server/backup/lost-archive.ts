import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import { program } from '../program-name.ts';
import { backupsIn } from './layout.ts';

/** Returns whether a data folder has an embedded database. */
export const hasDatabase = (dataFolder: string): boolean => existsSync(path.join(dataFolder, 'database', 'PG_VERSION'));

/**
 * Returns a sentence when the data folder is empty, but the folder of the automatic backup has backups: the disk of the data is not mounted, or lost.
 * A new archive in its place would be taken for the old one.
 */
export const lostArchive = async ({
  dataFolder,
  databaseUrl,
  backup,
}: Pick<Config, 'dataFolder' | 'databaseUrl' | 'backup'>): Promise<string | null> => {
  if (databaseUrl || !backup || hasDatabase(dataFolder)) return null;
  const { complete } = await backupsIn(backup.folder);
  if (complete.length === 0) return null;
  return (
    `${dataFolder} has no archive, but ${backup.folder} has backups of one: mount the disk of the data, or run ` +
    `"${program} restore --from ${backup.folder}". For a new archive, choose another DENTARIUM_BACKUP_DIR`
  );
};
