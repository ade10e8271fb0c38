import type { Entry } from 'yauzl';
import type { ImportLimits } from '../../../../contract/uploads.ts';
import { type EntryPath, nameOfEntry, pathOfEntry } from './zip-path.ts';

/** A file in a zip as its central directory declares it, not yet verified against its bytes. */
export interface ZipEntry extends EntryPath {
  /** Index among the files of the zip, from 0. */
  readonly index: number;
  /** Declared size when unpacked. */
  readonly sizeBytes: number;
  readonly packedBytes: number;
  /** Offset of its local header from the start of the zip. */
  readonly offset: number;
  readonly nameBytes: number;
  readonly isDeflated: boolean;
  readonly isEncrypted: boolean;
  readonly crc32: number;
}

/** Size below which the compression ratio is not checked: a blank picture compresses a thousand to one. */
export const uncheckedBytes = 2 ** 24;

const stored = 0;
const deflated = 8;
const strongEncryption = 0x40;

/** Unix file types that are neither file nor folder: pipe, device, link, socket. */
const specialTypes = new Set([0x1000, 0x2000, 0x6000, 0xa000, 0xc000]);

/** Unix mode in the upper half of the external attributes (Info-ZIP). */
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
  if (size > uncheckedBytes && size > packed * limits.zipRatio) {
    return { problem: 'zip-bomb', detail: `it is more than ${limits.zipRatio} times what it is packed in` };
  }
  if (method === stored && size !== packed) {
    return { problem: 'zip-damaged', detail: 'it is not packed, and has two sizes' };
  }
  return null;
};

/** Returns the needed fields of an entry; the path is the only one of variable length. */
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
