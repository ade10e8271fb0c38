import { type FileHandle, open } from 'node:fs/promises';
import yauzl, { type Entry } from 'yauzl';
import type { ImportLimits } from '../../../../contract/uploads.ts';
import { asStorageError } from '../../../storage/storage-error.ts';
import { FileError } from '../file-error.ts';
import { isFolder, uncheckedBytes, type ZipEntry, zipEntryOf } from './zip-entry.ts';
import { isSystemFile, nameOfEntry } from './zip-path.ts';
import { ZipReader } from './zip-reader.ts';

const damaged = (detail: string) => new FileError('zip-damaged', detail);
const entrySignature = 0x02014b50;
const localHeaderBytes = 30;

/** yauzl reads as many entries as the end record says; some writers overflow that 16-bit count. */
const checkEnd = async (reader: ZipReader, at: number, size: number): Promise<void> => {
  if (at + 4 > size) return;
  const next = Buffer.alloc(4);
  await new Promise<void>((resolve, reject) => {
    reader.read(next, 0, 4, at, (error) => (error ? reject(error) : resolve()));
  });
  if (next.readUInt32LE(0) === entrySignature) throw damaged('its directory holds more entries than it says');
};

const tooMany = (limits: ImportLimits) =>
  new FileError('zip-too-many-entries', `the zip has more than ${limits.zipEntries} entries`);

const isFile = (entry: Entry): boolean => {
  const name = nameOfEntry(entry.fileNameRaw, entry.generalPurposeBitFlag, entry.extraFields);
  return !isFolder(name) && !isSystemFile(name.replaceAll('\\', '/'));
};

const readEntries = async (reader: ZipReader, size: number, limits: ImportLimits): Promise<ZipEntry[]> => {
  const zip = await yauzl.fromRandomAccessReaderPromise(reader, size, {
    autoClose: false,
    // Names and sizes are checked here per entry, so that one bad entry does not cost the others.
    decodeStrings: false,
    validateEntrySizes: false,
  });
  zip.on('error', () => undefined);
  if (zip.entryCount > limits.zipEntries) throw tooMany(limits);
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (isFile(entry)) entries.push(zipEntryOf(entry, entries.length, limits));
  }
  // Declared as a boolean by its types; it is the offset of the next entry.
  await checkEnd(reader, Number(zip.readEntryCursor), size);
  return entries;
};

/** Entries with the same name are separate files; the later one gets a number. */
const withUniquePaths = (entries: readonly ZipEntry[]): ZipEntry[] => {
  const taken = new Set<string>();
  return entries.map((entry) => {
    let { path } = entry;
    for (let count = 2; taken.has(path); count++) path = `${entry.path} (${count})`;
    taken.add(path);
    return { ...entry, path };
  });
};

/** Overlapping entries are the trick of zip bombs (David Fifield, A better zip bomb, 2019). */
const checkOverlap = (entries: readonly ZipEntry[], size: number): void => {
  const inOrder = [...entries].sort((one, other) => one.offset - other.offset);
  let end = 0;
  for (const { offset, nameBytes, packedBytes } of inOrder) {
    if (offset < end) {
      const packed = entries.reduce((sum, entry) => sum + entry.packedBytes, 0);
      throw packed > size
        ? new FileError('zip-bomb', 'its entries lie over each other and claim more bytes than the zip has')
        : damaged('its entries lie over each other');
    }
    end = offset + localHeaderBytes + nameBytes + packedBytes;
  }
};

const checkWhole = (entries: readonly ZipEntry[], size: number, limits: ImportLimits): void => {
  if (entries.length === 0) throw new FileError('empty', 'the zip holds no files');
  if (entries.every(({ isEncrypted }) => isEncrypted)) throw new FileError('zip-encrypted', 'the zip is encrypted');
  const taken = entries.filter(({ problem }) => problem === null);
  const unpacked = taken.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (unpacked > limits.zipBytes) {
    throw new FileError('zip-too-large', `unpacked it has ${unpacked} bytes, ${limits.zipBytes} are the limit`);
  }
  checkOverlap(taken, size);
  if (unpacked > uncheckedBytes && unpacked > size * limits.zipRatio) {
    throw new FileError('zip-bomb', `unpacked it is more than ${limits.zipRatio} times as large`);
  }
};

const listOf = async (file: FileHandle, limits: ImportLimits): Promise<ZipEntry[]> => {
  const { size } = await file.stat();
  try {
    const entries = withUniquePaths(await readEntries(new ZipReader(file, size), size, limits));
    checkWhole(entries, size, limits);
    return entries;
  } catch (error) {
    if (error instanceof FileError) throw error;
    if (error instanceof Error && 'syscall' in error) throw asStorageError(error, 'the file store');
    const isLocked = error instanceof Error && error.message.includes('encryption');
    throw isLocked ? new FileError('zip-encrypted', 'the zip is encrypted') : damaged('it is no zip, or cut off');
  }
};

/**
 * Returns the files of a zip in the order of its central directory, without folders and system files. Nothing is unpacked. Unpacked size is at
 * most `limits.zipBytes`, as far as the declared sizes are true.
 * @throws FileError when the zip as a whole is refused; StorageError
 */
export const readZipDirectory = async (path: string, limits: ImportLimits): Promise<readonly ZipEntry[]> => {
  const file = await open(path, 'r');
  try {
    return await listOf(file, limits);
  } finally {
    await file.close();
  }
};
