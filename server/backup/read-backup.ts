import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { inParallel } from '../jobs/in-parallel.ts';
import { isMissing } from '../storage/storage-error.ts';
import { BackupError } from './backup-error.ts';
import { type Chunks, decryptionOf, type Transform } from './encryption.ts';
import { manifestName, storedFileName } from './layout.ts';
import { type BackedUpFile, type BackupManifest, backupManifest, fileOfLine, type WrittenFile } from './manifest.ts';
import { hashing } from './write-durably.ts';

export interface Backup {
  readonly folder: string;
  readonly manifest: BackupManifest;
  /** Rows of a table in the text format of COPY. */
  readonly openTable: (file: WrittenFile) => Readable;
  readonly readFileList: () => Promise<readonly BackedUpFile[]>;
  readonly openFile: (sha256: string) => Chunks;
}

/** Gives the passphrase of encrypted backups when it is needed. */
export type AskPassphrase = () => Promise<string>;

/** Reads what a backup consists of. @throws BackupError */
export const readManifest = async (folder: string): Promise<BackupManifest> => {
  const file = path.join(folder, manifestName);
  const text = await readFile(file, 'utf8').catch((error) => {
    if (isMissing(error)) throw new BackupError(`${folder} is not a complete backup: it has no ${manifestName}`);
    throw error;
  });
  try {
    return backupManifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new BackupError(`${file} cannot be read: it is damaged or of a newer version`, { cause });
  }
};

const plainly: Transform = (source) => source;
const readChunks = (file: string): Chunks => createReadStream(file, { highWaterMark: 1 << 19 });
const unzip = (source: Chunks): Readable => pipeline(source, createGunzip(), () => undefined);

/** Reads the list of stored files, which is never encrypted: the names of the files say as much. @throws BackupError */
export const readFileList = async (folder: string, { files }: BackupManifest): Promise<readonly BackedUpFile[]> => {
  const found: BackedUpFile[] = [];
  for await (const line of createInterface({ input: unzip(readChunks(path.join(folder, files.list.file))) })) {
    const file = fileOfLine(line);
    if (!file) throw new BackupError(`The list of files in ${folder} is damaged`);
    found.push(file);
  }
  return found;
};

/** Opens a backup. The passphrase is asked for only when it is encrypted. @throws BackupError */
export const openBackup = async (folder: string, passphrase: AskPassphrase): Promise<Backup> => {
  const manifest = await readManifest(folder);
  const decrypt =
    manifest.encryption === 'none' ? plainly : await decryptionOf(path.dirname(folder), await passphrase());
  const open = (file: string): Chunks => decrypt(readChunks(path.join(folder, file)));
  return {
    folder,
    manifest,
    openTable: ({ file }) => unzip(open(file)),
    openFile: (sha256) => open(storedFileName(sha256)),
    readFileList: () => readFileList(folder, manifest),
  };
};

export interface BackupFault {
  /** Path in the backup. */
  readonly file: string;
  readonly problem: 'missing' | 'damaged';
}

const atOnce = 8;

const sizeOf = (file: string): Promise<number | null> =>
  stat(file).then(
    ({ size }) => size,
    (error) => {
      if (isMissing(error)) return null;
      throw error;
    },
  );

const hashOf = async (source: Chunks): Promise<string> => {
  const hashed = hashing();
  for await (const _ of hashed.through(source));
  return hashed.result().sha256;
};

export interface BackupCheck {
  /** Reads and hashes the stored files too; otherwise only their sizes are compared. */
  readonly full: boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/** Compares a backup with its manifest. Returns every file that is missing or damaged. */
export const checkBackup = async (backup: Backup, { full, onProgress }: BackupCheck): Promise<BackupFault[]> => {
  const { folder, manifest } = backup;
  const faults: BackupFault[] = [];
  const written = [manifest.files.list, ...manifest.tables];
  for (const { file, sha256, sizeBytes } of written) {
    const size = await sizeOf(path.join(folder, file));
    if (size === null) faults.push({ file, problem: 'missing' });
    else if (size !== sizeBytes || (await hashOf(createReadStream(path.join(folder, file)))) !== sha256)
      faults.push({ file, problem: 'damaged' });
  }
  if (faults.some(({ file }) => file === manifest.files.list.file)) return faults;
  const files = await backup.readFileList();
  if (files.length !== manifest.files.count) faults.push({ file: manifest.files.list.file, problem: 'damaged' });
  let done = 0;
  await inParallel(files, atOnce, async ({ sha256, writtenBytes }) => {
    const file = storedFileName(sha256);
    const size = await sizeOf(path.join(folder, file));
    if (size === null) faults.push({ file, problem: 'missing' });
    else if (size !== writtenBytes) faults.push({ file, problem: 'damaged' });
    else if (full && (await hashOf(backup.openFile(sha256)).catch(() => null)) !== sha256)
      faults.push({ file, problem: 'damaged' });
    done += 1;
    onProgress(done, files.length);
  });
  return faults;
};
