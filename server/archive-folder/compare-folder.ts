import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { ArchiveFilesRow } from '../db/stores/archive-files.ts';
import { archiveMark, someImageHashes } from '../db/stores/archive-mark.ts';
import type { FilesProblem, FilesRoot } from '../storage/files-home.ts';
import { homeOf } from '../storage/home-of.ts';
import { readFolderId, readGeneration } from './folder-marks.ts';

/** Result of comparing a files folder with a database. */
export type FolderMatch =
  | { readonly kind: 'same' }
  /** Neither has a mark yet; they can be paired. */
  | { readonly kind: 'unclaimed' }
  /** The folder's counter is ahead: the database is an older copy. */
  | { readonly kind: 'database-older'; readonly generation: number }
  | { readonly kind: FolderProblem };

/** Why the folder or bucket cannot be used. `unreadable` also when the file system does not answer. */
export type FolderProblem =
  | 'absent'
  | 'empty'
  | 'unmarked'
  | FilesProblem
  | 'foreign'
  | 'new-database'
  | 'folder-older';

/** Returns whether a sample of the images in the database exists in the folder. */
const holdsNamedImages = async (hashes: readonly string[], root: FilesRoot): Promise<boolean> => {
  for (const sha256 of hashes) if (!(await homeOf(root).has(sha256))) return false;
  return hashes.length > 0;
};

const withoutId = async (
  db: Kysely<Schema>,
  root: FilesRoot,
  { generation }: Pick<ArchiveFilesRow, 'generation'>,
): Promise<FolderMatch> => {
  const hashes = await someImageHashes(db);
  const isUsed = await homeOf(root).holdsFiles();
  if (generation === 0 && hashes.length === 0) return isUsed ? { kind: 'new-database' } : { kind: 'unclaimed' };
  if (generation === 0 && (await holdsNamedImages(hashes, root))) return { kind: 'unclaimed' };
  if (isUsed) return { kind: 'unmarked' };
  return { kind: (await homeOf(root).exists()) ? 'empty' : 'absent' };
};

const withId = async (
  db: Kysely<Schema>,
  root: FilesRoot,
  row: ArchiveFilesRow,
  written: string,
): Promise<FolderMatch> => {
  const ofDatabase = await archiveMark(db);
  if (ofDatabase === null) return { kind: 'new-database' };
  if (ofDatabase !== written) return { kind: 'foreign' };
  const generation = await readGeneration(root);
  if (generation > row.generation) return { kind: 'database-older', generation };
  return { kind: generation < row.confirmed ? 'folder-older' : 'same' };
};

const compare = async (db: Kysely<Schema>, root: FilesRoot, row: ArchiveFilesRow): Promise<FolderMatch> => {
  const written = await readFolderId(root);
  const match = written === null ? await withoutId(db, root, row) : await withId(db, root, row, written);
  // A disk that was mounted or unmounted between the reads would be reported as something it is not.
  return (await readFolderId(root)) === written ? match : compare(db, root, row);
};

/**
 * Compares the marks and counters of a folder and its database. Reliable only while `row` is locked: otherwise another node may advance the counters
 * between the two reads.
 */
export const compareFolder = async (
  db: Kysely<Schema>,
  root: FilesRoot,
  row: ArchiveFilesRow,
): Promise<FolderMatch> => {
  try {
    return await compare(db, root, row);
  } catch (error) {
    // Only errors of the files' own system are a problem of the files; database errors go to the caller.
    const kind = homeOf(root).problemOf(error);
    if (kind) return { kind };
    throw error;
  }
};
