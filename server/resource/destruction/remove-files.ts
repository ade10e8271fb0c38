import type { Kysely } from 'kysely';
import { matchFolder } from '../../archive-folder/open-folder.ts';
import type { Schema } from '../../db/schema.ts';
import { readArchiveFiles } from '../../db/stores/archive-files.ts';
import { filesToDestroy, strikeFile } from '../../db/stores/destruction-orders.ts';
import { importsAmong, referencedAmong } from '../../db/stores/leftovers.ts';
import type { FilesRoot } from '../../storage/files-home.ts';
import { homeOf } from '../../storage/home-of.ts';
import type { PartDrafts } from '../../storage/part-drafts.ts';

export interface FileRemoval {
  readonly db: Kysely<Schema>;
  /** The files of the archive. */
  readonly root: FilesRoot;
  readonly drafts: Pick<PartDrafts, 'all' | 'remove'>;
  /** Removes thumbnails and renditions of a file. */
  readonly removeDerived: (sha256: string) => Promise<void>;
  /** Files younger than `orphanMs` may belong to an upload in progress; `keepMs`: how long files of finished imports are stored. */
  readonly retention: { readonly orphanMs: number; readonly keepMs: number };
  /** Called before each step, of which each can be the last one before a crash. */
  readonly onStep?: (step: string) => void;
}

/** Files of one query. */
const atOnce = 100;

/** Returns whether the folder is that of the database. In a folder that is newer than the database the files may belong to rows that it does not know. */
const isOwnFolder = async (db: Kysely<Schema>, root: FilesRoot): Promise<boolean> =>
  (await matchFolder(db, root)).kind === 'same' && (await readArchiveFiles(db)).older_since === null;

/** Removes parts of uploads whose import is gone. */
const removeDrafts = async ({ db, drafts }: FileRemoval): Promise<void> => {
  const all = await drafts.all();
  const imports = await importsAmong(db, [...new Set(all.map(({ taskId }) => taskId))]);
  for (const draft of all) if (!imports.has(draft.taskId)) await drafts.remove(draft);
};

/**
 * Removes the listed files of an order with all that was derived from them, except those that another record has. A file that was stored again
 * less than `orphanMs` ago stays for a later run, and all of them while the folder is missing. Returns whether none is left.
 */
export const removeListedFiles = async (
  removal: FileRemoval,
  orderId: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const { db, root, removeDerived, retention, onStep = () => undefined } = removal;
  if (!(await isOwnFolder(db, root))) return false;
  await removeDrafts(removal);
  const home = homeOf(root);
  const isOld = (changedMs: number) => Date.now() - changedMs > retention.orphanMs;
  let isDone = true;
  for (let after = ''; ; ) {
    const hashes = await filesToDestroy(db, orderId, { after, limit: atOnce });
    for (const sha256 of hashes) {
      signal.throwIfAborted();
      onStep('file');
      const isReferenced = async () => (await referencedAmong(db, [sha256], retention.keepMs)).has(sha256);
      const outcome = await home.destroy(sha256, { isReferenced, isOld });
      onStep('derived');
      if (outcome === 'gone') await removeDerived(sha256);
      onStep('strike');
      if (outcome === 'recent') isDone = false;
      else await strikeFile(db, orderId, sha256, outcome === 'gone');
    }
    const last = hashes.at(-1);
    if (last === undefined) return isDone;
    after = last;
  }
};
