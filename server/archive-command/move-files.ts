import { generationName } from '../archive-folder/folder-marks.ts';
import { inParallel } from '../jobs/in-parallel.ts';
import { type FileStore, StorageError } from '../storage/file-store.ts';
import type { FilesHome } from '../storage/files-home.ts';
import { idName } from '../storage/folder-id.ts';
import { CommandFailed } from './usage.ts';

/** In a folder or bucket that is being filled: the id of the archive. */
const movingName = 'moving';
const atOnce = 8;

export interface MoveOptions {
  readonly from: FilesHome;
  readonly to: FilesHome;
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

export interface MoveResult {
  readonly from: string;
  readonly to: string;
  readonly files: number;
  readonly bytes: number;
  readonly copied: number;
  /** Were in place, from an earlier run. */
  readonly present: number;
  /** Files whose bytes are not those that were stored; they were left out. */
  readonly damaged: readonly string[];
}

const generationOf = async (home: FilesHome): Promise<number> => Number((await home.readMark(generationName)) ?? 0);

/** @throws CommandFailed when the target belongs to something else, or is newer */
const ensureTarget = async (from: FilesHome, to: FilesHome, id: string): Promise<void> => {
  await to.exists();
  const [idOfTarget, moving] = [await to.readMark(idName), await to.readMark(movingName)];
  if (idOfTarget !== null && idOfTarget !== id)
    throw new CommandFailed(`${to.name} belongs to another archive: nothing was changed`);
  if (idOfTarget === null && moving === null && !(await to.isEmpty()))
    throw new CommandFailed(`${to.name} is not empty: nothing was changed. Choose an empty one`);
  if (moving !== null && moving !== id)
    throw new CommandFailed(`The files of another archive are being moved to ${to.name}: nothing was changed`);
  if (idOfTarget === id && (await generationOf(to)) > (await generationOf(from)))
    throw new CommandFailed(`${to.name} is newer than ${from.name}: nothing was changed. Move in the other direction`);
};

/** Yields all stored files, then those in quarantine. */
async function* allFiles(home: FilesHome) {
  const referencedAmong = async () => new Set<string>();
  yield* home.unnamedFiles({ orphanMs: Number.NEGATIVE_INFINITY, referencedAmong });
  yield* home.quarantinedFiles();
}

type Copied = 'copied' | 'damaged' | 'removed';

/** Copies one file, comparing its bytes with its hash. `removed`: by a server that runs meanwhile. */
const copyFile = async (source: FileStore, target: FileStore, sha256: string): Promise<Copied> => {
  const batch = target.batch();
  try {
    const stored = await batch.add(await source.openVerified(sha256));
    if (stored.sha256 !== sha256) return 'damaged';
    await batch.keep();
    return 'copied';
  } catch (error) {
    if (error instanceof StorageError && error.code === 'damaged') return 'damaged';
    if (error instanceof StorageError && error.code === 'missing') return 'removed';
    throw error;
  } finally {
    await batch.discard();
  }
};

/**
 * Copies the files of an archive to another place and marks it as that of the database. Files that are in place are not copied again, so it can
 * be interrupted and repeated. The counter is read before the files: when a server stores more meanwhile, the target is an older copy and no
 * server starts with it.
 * @throws CommandFailed, StorageError, ObjectStoreError; the signal's reason
 */
export const moveFiles = async ({ from, to, onProgress, signal }: MoveOptions): Promise<MoveResult> => {
  const id = await from.readMark(idName);
  if (id === null) throw new CommandFailed(`${from.name} holds no archive (it has no ${idName}): nothing was changed`);
  await ensureTarget(from, to, id);
  const generation = await generationOf(from);
  await to.create();
  await to.writeMark(movingName, id);
  const [source, target] = [await from.openStore(), await to.openStore()];
  let [files, bytes, copied, present] = [0, 0, 0, 0];
  const damaged: string[] = [];
  for await (const group of allFiles(from)) {
    await inParallel(group, atOnce, async ({ sha256, sizeBytes }) => {
      signal.throwIfAborted();
      if ((await target.sizeOf(sha256)) === sizeBytes) present += 1;
      else {
        const outcome = await copyFile(source, target, sha256);
        if (outcome === 'removed') return;
        if (outcome === 'copied') copied += 1;
        else damaged.push(sha256);
      }
      files += 1;
      bytes += sizeBytes;
      onProgress(files);
    });
  }
  await to.writeMark(generationName, String(generation));
  await to.writeMark(idName, id);
  await to.removeMark(movingName);
  return { from: from.name, to: to.name, files, bytes, copied, present, damaged: damaged.sort() };
};
