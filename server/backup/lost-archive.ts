import type { Config } from '../config.ts';
import { hasEmbeddedDatabase } from '../db/open-database.ts';
import { program } from '../program-name.ts';
import { backupsIn } from './layout.ts';

/**
 * Returns a sentence when the data folder is empty, but the folder of the automatic backup has backups: the disk of the data is not mounted, or lost.
 * A new archive in its place would be taken for the old one.
 */
export const lostArchive = async ({
  dataFolder,
  databaseUrl,
  backup,
}: Pick<Config, 'dataFolder' | 'databaseUrl' | 'backup'>): Promise<string | null> => {
  if (databaseUrl || !backup || hasEmbeddedDatabase(dataFolder)) return null;
  const found = await backupsIn(backup.folder).catch(() => null);
  if (!found)
    return `${dataFolder} has no archive, and whether ${backup.folder} has backups of one cannot be read: give that folder to the user of the server`;
  if (found.complete.length === 0) return null;
  return (
    `${dataFolder} has no archive, but ${backup.folder} has backups of one: mount the disk of the data, or run ` +
    `"${program} restore --from ${backup.folder}". For a new archive, choose another DENTARIUM_BACKUP_DIR`
  );
};
