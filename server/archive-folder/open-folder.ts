import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import {
  type ArchiveFilesRow,
  confirmGeneration,
  lockArchiveFiles,
  markOlder,
  readArchiveFiles,
  setGeneration,
} from '../db/stores/archive-files.ts';
import { ensureArchiveMark } from '../db/stores/archive-mark.ts';
import { StartupError } from '../startup-error.ts';
import type { FilesRoot } from '../storage/files-home.ts';
import { homeOf, nameOf } from '../storage/home-of.ts';
import { ObjectStoreError } from '../storage/object-store-error.ts';
import { codeOf } from '../storage/storage-error.ts';
import { compareFolder, type FolderMatch, type FolderProblem } from './compare-folder.ts';
import { writeFolderId, writeGeneration } from './folder-marks.ts';
import { folderProblemText } from './folder-problem-text.ts';

/** A files folder or bucket that was compared with the database and belongs to it. */
export interface ArchiveFolder {
  readonly root: FilesRoot;
}

/** Thrown when the files folder is missing or belongs to another database. */
export class FolderUnavailable extends Error {
  override readonly name = 'FolderUnavailable';
  readonly problem: FolderProblem;

  constructor(problem: FolderProblem, root: FilesRoot) {
    super(folderProblemText(problem, root));
    this.problem = problem;
  }
}

/** Compares while holding the row lock, so that no other node advances the counters. */
export const lockedMatch = <Result>(
  db: Kysely<Schema>,
  root: FilesRoot,
  work: (transaction: Transaction<Schema>, match: FolderMatch, row: ArchiveFilesRow) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    const row = await lockArchiveFiles(transaction);
    return work(transaction, await compareFolder(transaction, root, row), row);
  });

/**
 * Advances both counters by one: first the database (durably), then the folder. The folder's counter is therefore always between `confirmed` and
 * `generation`; it is above `generation` only with an older copy of the database.
 * @throws FolderUnavailable before anything is written
 */
export const advanceGeneration = async (db: Kysely<Schema>, root: FilesRoot): Promise<void> => {
  await lockedMatch(db, root, async (transaction, match, row) => {
    if (match.kind === 'database-older') return markOlder(transaction, match.generation);
    if (match.kind === 'unclaimed') throw new FolderUnavailable('unmarked', root);
    if (match.kind !== 'same') throw new FolderUnavailable(match.kind, root);
    return setGeneration(transaction, row.generation + 1);
  });
  await lockedMatch(db, root, async (transaction, match, row) => {
    if (match.kind !== 'same') return;
    await writeGeneration(root, row.generation);
    await confirmGeneration(transaction, row.generation);
  });
};

/** Writes the id and the counter of the database into a folder, which is then the one of this database. */
export const markFolder = async (db: Kysely<Schema>, root: FilesRoot): Promise<void> => {
  const id = await ensureArchiveMark(db, randomUUID());
  await lockedMatch(db, root, async (_transaction, _match, row) => {
    await homeOf(root).create();
    await writeGeneration(root, row.generation);
    await writeFolderId(root, id);
  });
};

/** Pairs a new folder with a new database; if several nodes start at once, the first one does it. */
const claim = async (db: Kysely<Schema>, root: FilesRoot): Promise<void> => {
  // Written before the folder: a folder with a mark that no database knows could never be opened again.
  const id = await ensureArchiveMark(db, randomUUID());
  await lockedMatch(db, root, async (transaction, match, row) => {
    if (match.kind !== 'unclaimed') return;
    await homeOf(root).create();
    await writeFolderId(root, id);
    await setGeneration(transaction, row.generation + 1);
  });
};

/** Whether a writer cannot have changed the result meanwhile: no row may stay locked while a store does not answer. */
const isCertain = ({ kind }: FolderMatch): boolean =>
  kind === 'same' || kind === 'unreadable' || kind === 'bucket-missing' || kind.startsWith('store-');

/** Returns the comparison of folder and database, made under the row lock where needed. */
export const matchFolder = async (db: Kysely<Schema>, root: FilesRoot): Promise<FolderMatch> => {
  const match = await compareFolder(db, root, await readArchiveFiles(db));
  return isCertain(match) ? match : lockedMatch(db, root, async (_transaction, certain) => certain);
};

/**
 * Opens the files folder at server start: pairs a new one and advances the counters.
 * @throws StartupError with one sentence when the folder is absent, empty, unreadable, older, or of another archive
 */
export const openArchiveFolder = async (db: Kysely<Schema>, root: FilesRoot): Promise<ArchiveFolder> => {
  try {
    if ((await matchFolder(db, root)).kind === 'unclaimed') await claim(db, root);
    await advanceGeneration(db, root);
    return { root };
  } catch (error) {
    if (error instanceof FolderUnavailable) throw new StartupError(error.message);
    if (error instanceof Error && 'syscall' in error && 'path' in error)
      throw new StartupError(`The files folder ${nameOf(root)} cannot be written (${codeOf(error)})`);
    if (error instanceof ObjectStoreError)
      throw new StartupError(`The bucket ${nameOf(root)} cannot be written. ${error.message}`);
    throw error;
  }
};
