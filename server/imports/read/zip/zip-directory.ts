import { type FileHandle, open } from 'node:fs/promises';
import yauzl, { type Entry } from 'yauzl';
import type { ImportLimits } from '../../../../contract/uploads.ts';
import { asStorageFault } from '../../../storage/storage-fault.ts';
import { RefusedFile } from '../refused-file.ts';
import { harmlessBytes, isFolder, type ZipEntry, zipEntryOf } from './zip-entry.ts';
import { isLitter, nameOfEntry } from './zip-path.ts';
import { ZipReader } from './zip-reader.ts';

const damaged = (detail: string) => new RefusedFile('zip-damaged', detail);
const entrySignature = 0x02014b50;
const localHeaderBytes = 30;

/** yauzl reads as many entries as the end of the directory says; some writers let that count of 16 bits run over. */
const checkEnd = async (reader: ZipReader, at: number, size: number): Promise<void> => {
  if (at + 4 > size) return;
  const next = Buffer.alloc(4);
  await new Promise<void>((resolve, reject) => {
    reader.read(next, 0, 4, at, (error) => (error ? reject(error) : resolve()));
  });
  if (next.readUInt32LE(0) === entrySignature) throw damaged('its directory holds more entries than it says');
};

const tooMany = (limits: ImportLimits) =>
  new RefusedFile('zip-too-many-entries', `the zip has more than ${limits.zipEntries} entries`);

const isFile = (entry: Entry): boolean => {
  const name = nameOfEntry(entry.fileNameRaw, entry.generalPurposeBitFlag, entry.extraFields);
  return !isFolder(name) && !isLitter(name.replaceAll('\\', '/'));
};

const readEntries = async (reader: ZipReader, size: number, limits: ImportLimits): Promise<ZipEntry[]> => {
  const zip = await yauzl.fromRandomAccessReaderPromise(reader, size, {
    autoClose: false,
    // One bad name or size must not cost the other entries: both are looked at here.
    decodeStrings: false,
    validateEntrySizes: false,
  });
  zip.on('error', () => undefined);
  if (zip.entryCount > limits.zipEntries) throw tooMany(limits);
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (isFile(entry)) entries.push(zipEntryOf(entry, entries.length, limits));
  }
  // Declared as a boolean by its types; it is where the next entry would be.
  await checkEnd(reader, Number(zip.readEntryCursor), size);
  return entries;
};

/** Two entries of one name are two files: the later one is told apart, so that none hides the other. */
const toldApart = (entries: readonly ZipEntry[]): ZipEntry[] => {
  const taken = new Set<string>();
  return entries.map((entry) => {
    let { path } = entry;
    for (let count = 2; taken.has(path); count++) path = `${entry.path} (${count})`;
    taken.add(path);
    return { ...entry, path };
  });
};

/** Entries that share bytes are how a small zip claims to hold the world (David Fifield, A better zip bomb, 2019). */
const checkOverlap = (entries: readonly ZipEntry[], size: number): void => {
  const inOrder = [...entries].sort((one, other) => one.offset - other.offset);
  let end = 0;
  for (const { offset, nameBytes, packedBytes } of inOrder) {
    if (offset < end) {
      const packed = entries.reduce((sum, entry) => sum + entry.packedBytes, 0);
      throw packed > size
        ? new RefusedFile('zip-bomb', 'its entries lie over each other and claim more bytes than the zip has')
        : damaged('its entries lie over each other');
    }
    end = offset + localHeaderBytes + nameBytes + packedBytes;
  }
};

const checkWhole = (entries: readonly ZipEntry[], size: number, limits: ImportLimits): void => {
  if (entries.length === 0) throw new RefusedFile('empty', 'the zip holds no files');
  if (entries.every(({ isEncrypted }) => isEncrypted)) throw new RefusedFile('zip-encrypted', 'the zip is encrypted');
  const taken = entries.filter(({ problem }) => problem === null);
  const unpacked = taken.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (unpacked > limits.zipBytes) {
    throw new RefusedFile('zip-too-large', `unpacked it has ${unpacked} bytes, ${limits.zipBytes} are the limit`);
  }
  checkOverlap(taken, size);
  if (unpacked > harmlessBytes && unpacked > size * limits.zipRatio) {
    throw new RefusedFile('zip-bomb', `unpacked it is more than ${limits.zipRatio} times as large`);
  }
};

const listOf = async (file: FileHandle, limits: ImportLimits): Promise<ZipEntry[]> => {
  const { size } = await file.stat();
  try {
    const entries = toldApart(await readEntries(new ZipReader(file, size), size, limits));
    checkWhole(entries, size, limits);
    return entries;
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    if (error instanceof Error && 'syscall' in error) throw asStorageFault(error, 'the file store');
    const isLocked = error instanceof Error && error.message.includes('encryption');
    throw isLocked ? new RefusedFile('zip-encrypted', 'the zip is encrypted') : damaged('it is no zip, or cut off');
  }
};

/**
 * The files in a zip, in the order of its central directory, without folders and what systems leave behind. Nothing is unpacked.
 * Its size unpacked is at most `limits.zipBytes`, if the entries without a problem do not lie.
 * @throws RefusedFile when the zip as a whole cannot be taken; StorageFault
 */
export const readZipDirectory = async (path: string, limits: ImportLimits): Promise<readonly ZipEntry[]> => {
  const file = await open(path, 'r');
  try {
    return await listOf(file, limits);
  } finally {
    await file.close();
  }
};
