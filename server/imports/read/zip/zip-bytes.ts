import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { FileError } from '../file-error.ts';
import type { ZipEntry } from './zip-entry.ts';

const damaged = (detail: string) => new FileError('zip-damaged', detail);
const headerBytes = 30;
const headerSignature = 0x04034b50;

/** Offset of the bytes of an entry (APPNOTE.TXT 4.3.7). */
const startOf = async (file: FileHandle, entry: ZipEntry): Promise<number> => {
  const { size } = await file.stat();
  const beyond = damaged('it claims to lie outside of the zip');
  if (!(entry.offset + headerBytes <= size)) throw beyond;
  const { buffer } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, entry.offset);
  if (buffer.readUInt32LE(0) !== headerSignature) throw damaged('it is not where the directory of the zip says');
  const start = entry.offset + headerBytes + buffer.readUInt16LE(26) + buffer.readUInt16LE(28);
  if (start + entry.packedBytes > size) throw beyond;
  return start;
};

const packedStream = async (path: string, entry: ZipEntry): Promise<AsyncIterable<Uint8Array>> => {
  const file = await open(path, 'r');
  let start: number;
  try {
    start = await startOf(file, entry);
  } finally {
    await file.close();
  }
  if (entry.packedBytes === 0) return (async function* () {})();
  const packed = createReadStream(path, { start, end: start + entry.packedBytes - 1, highWaterMark: 2 ** 16 });
  if (!entry.isDeflated) return packed;
  // The stream that is read reports every failure, also of its source.
  return pipeline(packed, createInflateRaw({ chunkSize: 2 ** 16 }), () => undefined);
};

export const isOfZlib = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');

/**
 * Yields the unpacked bytes of an entry: never more than declared and with the declared CRC-32, else it fails before its end.
 * @throws FileError 'zip-damaged'; the reason of `signal`; file system errors
 */
export async function* bytesOfEntry(path: string, entry: ZipEntry, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let length = 0;
  let checksum = 0;
  try {
    for await (const chunk of await packedStream(path, entry)) {
      signal.throwIfAborted();
      length += chunk.byteLength;
      if (length > entry.sizeBytes) throw damaged('it unpacks to more than it says');
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw isOfZlib(error) ? damaged('it cannot be unpacked') : error;
  }
  if (length < entry.sizeBytes) throw damaged('it unpacks to less than it says');
  if (checksum !== entry.crc32) throw damaged('its bytes are not those that were packed');
}
