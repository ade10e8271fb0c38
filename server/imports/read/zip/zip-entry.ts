import type { Entry } from 'yauzl';
import type { ImportLimits } from '../../../../contract/uploads.ts';
import { type EntryPath, nameOfEntry, pathOfEntry } from './zip-path.ts';

/** A file in a zip, as its central directory has it. Nothing in here has been held against the bytes yet. */
export interface ZipEntry extends EntryPath {
  /** Its place among the files of the zip, from 0. */
  readonly index: number;
  /** Unpacked, as it says. */
  readonly sizeBytes: number;
  readonly packedBytes: number;
  /** Of its local header, from the start of the zip. */
  readonly offset: number;
  readonly nameBytes: number;
  readonly isDeflated: boolean;
  readonly isEncrypted: boolean;
  readonly crc32: number;
}

/** What is below does no harm, whatever it was packed in: a blank picture packs a thousand to one. */
export const harmlessBytes = 2 ** 24;

const stored = 0;
const deflated = 8;
const strongEncryption = 0x40;

/** Types of a Unix mode that are neither a file nor a folder: pipe, device, link, socket. */
const specialTypes = new Set([0x1000, 0x2000, 0x6000, 0xa000, 0xc000]);

/** What a thing in a zip is made of, in the upper half of its attributes (Info-ZIP). */
const typeOf = (entry: Entry): number => (entry.externalFileAttributes >>> 16) & 0xf000;

export const isFolder = (name: string): boolean => /[/\\]$/.test(name);

const problemOf = (entry: Entry, limits: ImportLimits): EntryPath['problem'] => {
  const { uncompressedSize: size, compressedSize: packed, compressionMethod: method } = entry;
  if (specialTypes.has(typeOf(entry))) return { problem: 'zip-unsafe-entry', detail: 'it is a link or a device' };
  if (entry.isEncrypted() || entry.generalPurposeBitFlag & strongEncryption) {
    return { problem: 'zip-encrypted', detail: 'it is encrypted' };
  }
  if (method !== stored && method !== deflated) {
    return { problem: 'zip-damaged', detail: `it is packed by method ${method}, which is not read here` };
  }
  if (size > limits.fileBytes) {
    return { problem: 'too-large', detail: `it has ${size} bytes, ${limits.fileBytes} are the limit` };
  }
  if (size > harmlessBytes && size > packed * limits.zipRatio) {
    return { problem: 'zip-bomb', detail: `it is more than ${limits.zipRatio} times what it is packed in` };
  }
  if (method === stored && size !== packed) {
    return { problem: 'zip-damaged', detail: 'it is not packed, and has two sizes' };
  }
  return null;
};

/** What is needed of an entry; of what can be long, only the path is kept. */
export const zipEntryOf = (entry: Entry, index: number, limits: ImportLimits): ZipEntry => {
  const name = nameOfEntry(entry.fileNameRaw, entry.generalPurposeBitFlag, entry.extraFields);
  const { path, problem } = pathOfEntry(name, limits.folderDepth);
  return {
    index,
    path,
    problem: problem ?? problemOf(entry, limits),
    sizeBytes: Math.min(entry.uncompressedSize, Number.MAX_SAFE_INTEGER),
    packedBytes: entry.compressedSize,
    offset: entry.relativeOffsetOfLocalHeader,
    nameBytes: entry.fileNameLength,
    isDeflated: entry.compressionMethod === deflated,
    isEncrypted: entry.isEncrypted(),
    crc32: entry.crc32,
  };
};
