import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { clearOlder } from '../db/stores/archive-files.ts';
import type { FilesRoot } from '../storage/files-home.ts';
import { advanceGeneration, FolderUnavailable, markFolder, matchFolder } from './open-folder.ts';

/**
 * Pairs a folder with a database of a different age. An empty folder is accepted only with `isEmptyAccepted`.
 * @throws FolderUnavailable for a folder of another archive or an unreadable one
 */
export const acceptFolder = async (db: Kysely<Schema>, root: FilesRoot, isEmptyAccepted: boolean): Promise<void> => {
  const match = await matchFolder(db, root);
  const isEmpty = match.kind === 'empty' || match.kind === 'absent';
  if (match.kind === 'folder-older' || (isEmpty && isEmptyAccepted)) await markFolder(db, root);
  else if (match.kind === 'unclaimed') throw new FolderUnavailable('unmarked', root);
  else if (match.kind !== 'same' && match.kind !== 'database-older') throw new FolderUnavailable(match.kind, root);
  await advanceGeneration(db, root);
  await clearOlder(db);
};
