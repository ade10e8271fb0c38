import { constants } from 'node:fs';
import { access, link, stat } from 'node:fs/promises';
import path from 'node:path';
import { inParallel } from '../jobs/in-parallel.ts';
import type { Pace } from '../storage/file-store.ts';
import type { FilesRoot } from '../storage/files-home.ts';
import { homeOf } from '../storage/home-of.ts';
import { codeOf, isMissing } from '../storage/storage-error.ts';
import type { Chunks, Transform } from './encryption.ts';
import { storedFileName } from './layout.ts';
import type { AbsentFile, BackedUpFile } from './manifest.ts';
import { hashing, writeDurably } from './write-durably.ts';

/** An earlier backup whose files can be linked: stored files never change. */
export interface EarlierBackup {
  readonly folder: string;
  readonly files: ReadonlyMap<string, BackedUpFile>;
}

export interface FileCopies {
  readonly files: readonly BackedUpFile[];
  readonly absent: readonly AbsentFile[];
  readonly copied: number;
  readonly linked: number;
}

export interface CopyOptions {
  /** The files of the archive. */
  readonly root: FilesRoot;
  readonly target: string;
  readonly hashes: readonly string[];
  readonly earlier: EarlierBackup | null;
  readonly encrypt: Transform | null;
  /** Throttles reading, and may stop the copying by throwing. */
  readonly pace: Pace;
  readonly onProgress: (done: number, total: number) => void;
}

const atOnce = 8;
/** File systems that cannot link; the file is copied instead. */
const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV', 'ENOSYS']);

class Damaged extends Error {}

/** Passes chunks on at a pace. */
export const paced = async function* (source: Chunks, pace: Pace): Chunks {
  for await (const chunk of source) {
    await pace(chunk.byteLength);
    yield chunk;
  }
};

/** The disk of the archive cannot read a part of the file. */
const isReadError = (error: unknown): boolean =>
  codeOf(error) === 'EIO' && error instanceof Error && 'syscall' in error && error.syscall === 'read';

const isThere = (file: string): Promise<boolean> =>
  access(file, constants.F_OK).then(
    () => true,
    (error) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

/** Links a file of the earlier backup. Returns null when it has none of the right size. */
const linkEarlier = async (earlier: EarlierBackup, sha256: string, target: string): Promise<BackedUpFile | null> => {
  const file = earlier.files.get(sha256);
  if (!file) return null;
  const from = path.join(earlier.folder, storedFileName(sha256));
  try {
    if ((await stat(from)).size !== file.writtenBytes) return null;
    await link(from, target);
    return file;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return file;
    if (isMissing(error) || cannotLink.has(codeOf(error))) return null;
    throw error;
  }
};

/** Returns a file that an interrupted backup has left complete. */
const findContinued = async (root: FilesRoot, sha256: string, target: string): Promise<BackedUpFile | null> => {
  if (!(await isThere(target))) return null;
  const from = await homeOf(root).findStored(sha256);
  return from && { sha256, sizeBytes: from.sizeBytes, writtenBytes: (await stat(target)).size };
};

const copy = async (
  { root, encrypt, pace }: CopyOptions,
  sha256: string,
  target: string,
): Promise<BackedUpFile | AbsentFile> => {
  const from = await homeOf(root).findStored(sha256);
  if (from === null) return { sha256, problem: 'missing' };
  const plain = hashing();
  let sizeBytes = 0;
  try {
    const content = plain.through(paced(from.read(), pace));
    const written = await writeDurably(target, encrypt ? encrypt(content) : content, () => {
      const read = plain.result();
      sizeBytes = read.sizeBytes;
      if (read.sha256 !== sha256) throw new Damaged();
    });
    return { sha256, sizeBytes, writtenBytes: written.sizeBytes };
  } catch (error) {
    if (error instanceof Damaged || isReadError(error)) return { sha256, problem: 'damaged' };
    throw error;
  }
};

/** Copies stored files, comparing each with its hash; those of an earlier or interrupted backup are used again. */
export const copyFiles = async (options: CopyOptions): Promise<FileCopies> => {
  const { target, hashes, earlier, onProgress } = options;
  const files: BackedUpFile[] = [];
  const absent: AbsentFile[] = [];
  let [copied, linked, done] = [0, 0, 0];
  await inParallel(hashes, atOnce, async (sha256) => {
    await options.pace(0);
    const to = path.join(target, storedFileName(sha256));
    const present =
      (earlier && (await linkEarlier(earlier, sha256, to))) ?? (await findContinued(options.root, sha256, to));
    if (present) {
      linked += 1;
      files.push(present);
    } else {
      const result = await copy(options, sha256, to);
      if ('problem' in result) absent.push(result);
      else {
        copied += 1;
        files.push(result);
      }
    }
    done += 1;
    onProgress(done, hashes.length);
  });
  const byHash = (one: { sha256: string }, other: { sha256: string }) => (one.sha256 < other.sha256 ? -1 : 1);
  return { files: files.sort(byHash), absent: absent.sort(byHash), copied, linked };
};
