import { logSealFaults } from '../access-log/retention.ts';
import { backupFolders } from '../backup/layout.ts';
import { type Backup, openBackup } from '../backup/read-backup.ts';
import { type Seal, sealsUnlike } from '../db/stores/access-log-seals.ts';
import { type ReferencedFile, referencedFiles, underivedImages } from '../db/stores/archive-check.ts';
import type { NamedKey } from '../domain/named-key.ts';
import { inParallel } from '../jobs/in-parallel.ts';
import { type FileStore, StorageError } from '../storage/file-store.ts';
import { homeOf } from '../storage/home-of.ts';
import { ensureRightFolder, type QuarantineContext, unreferencedFiles } from './quarantine.ts';

/** What is wrong with a stored file: it is not there, it has another size, or other bytes. */
export interface FileFault {
  readonly sha256: string;
  readonly problem: 'missing' | 'damaged';
}

export interface VerifyOptions {
  /** That seals the access log; null when it cannot be read. */
  readonly sealKey: NamedKey | null;
  /** Seals that were kept outside of the database. */
  readonly anchors: readonly Seal[];
  /** Reads and hashes every file; otherwise only presence and size are compared. */
  readonly full: boolean;
  readonly onProgress: (done: number, total: number) => void;
}

const atOnce = 4;

const faultOf = async (
  store: FileStore,
  { sha256, sizeBytes }: ReferencedFile,
  full: boolean,
): Promise<FileFault | null> => {
  const size = await store.sizeOf(sha256);
  if (size === null) return { sha256, problem: 'missing' };
  if (sizeBytes !== null && size !== sizeBytes) return { sha256, problem: 'damaged' };
  if (!full) return null;
  try {
    await store.verify(sha256);
    return null;
  } catch (error) {
    if (error instanceof StorageError && (error.code === 'damaged' || error.code === 'missing'))
      return { sha256, problem: error.code };
    throw error;
  }
};

/** Compares the whole archive with its database. Changes nothing. @throws FolderUnavailable, errors of database and file system */
export const verifyArchive = async (
  context: QuarantineContext,
  { sealKey, anchors, full, onProgress }: VerifyOptions,
) => {
  await ensureRightFolder(context);
  const { db, root, retention } = context;
  const store = await homeOf(root).openStore();
  const files = await referencedFiles(db, retention.keepMs);
  const faults: FileFault[] = [];
  let done = 0;
  await inParallel(files, atOnce, async (file) => {
    const fault = await faultOf(store, file, full);
    if (fault) faults.push(fault);
    done += 1;
    onProgress(done, files.length);
  });
  const unreferenced = await unreferencedFiles(context);
  const seals = await logSealFaults(db, sealKey);
  return {
    files: files.length,
    compared: full ? 'every byte' : 'sizes',
    faults: faults.sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1)),
    withoutRecord: unreferenced.length,
    imagesWithoutThumbnailOrRendition: await underivedImages(db),
    alteredAccessLogSeals: seals.broken,
    accessLogSealsWithoutKey: seals.withoutKey,
    accessLogSealsUnlikeAnchor: anchors.length === 0 ? [] : await sealsUnlike(db, anchors),
  };
};

/** Puts a file of a backup into the store. Returns whether its bytes were right. */
const repairFrom = async (store: FileStore, backup: Backup, sha256: string): Promise<boolean> => {
  const batch = store.batch();
  try {
    const stored = await batch.add(backup.openFile(sha256));
    if (stored.sha256 !== sha256) return false;
    await batch.keep();
    return true;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    // The backup does not have the file, or cannot read it; another backup may.
    return false;
  } finally {
    await batch.discard();
  }
};

/** Replaces damaged and missing files by those of the backups in `from`, the newest first. Returns the hashes of repaired files. */
export const repairFiles = async (
  { root }: Pick<QuarantineContext, 'root'>,
  faults: readonly FileFault[],
  { from, passphrase }: { readonly from: string; readonly passphrase: () => Promise<string> },
): Promise<ReadonlySet<string>> => {
  const repaired = new Set<string>();
  if (faults.length === 0) return repaired;
  const store = await homeOf(root).openStore();
  for (const folder of await backupFolders(from)) {
    const left = faults.filter(({ sha256 }) => !repaired.has(sha256));
    if (left.length === 0) break;
    const backup = await openBackup(folder, passphrase);
    const held = new Set((await backup.readFileList()).map(({ sha256 }) => sha256));
    for (const { sha256 } of left)
      if (held.has(sha256) && (await repairFrom(store, backup, sha256))) repaired.add(sha256);
  }
  return repaired;
};
