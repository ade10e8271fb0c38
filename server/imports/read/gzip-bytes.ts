import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ImportLimits } from '../../../contract/uploads.ts';
import { FileError } from './file-error.ts';
import { isOfZlib } from './zip/zip-bytes.ts';
import { uncheckedBytes } from './zip/zip-entry.ts';

/** Name of the file inside: `IM0001.dcm.gz` holds `IM0001.dcm`. */
export const nameInGzip = (fileName: string): string => fileName.replace(/\.g?z$/i, '');

/**
 * Yields the unpacked bytes of a gzip file (RFC 1952), which does not say its size beforehand: the limits apply while it is unpacked.
 * @throws FileError 'too-large', 'zip-too-large', 'zip-bomb', 'zip-damaged'; the reason of `signal`; file system errors
 */
export async function* bytesOfGzip(
  path: string,
  packedBytes: number,
  { fileBytes, zipBytes, zipRatio }: Pick<ImportLimits, 'fileBytes' | 'zipBytes' | 'zipRatio'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  // The stream that is read reports every failure, also of its source.
  const unpacked = pipeline(createReadStream(path), createGunzip({ chunkSize: 2 ** 16 }), () => undefined);
  let length = 0;
  try {
    for await (const chunk of unpacked) {
      signal.throwIfAborted();
      length += chunk.byteLength;
      if (length > fileBytes) throw new FileError('too-large', `it unpacks to more than ${fileBytes} bytes, the limit`);
      if (length > zipBytes)
        throw new FileError('zip-too-large', `it unpacks to more than ${zipBytes} bytes, the limit`);
      if (length > uncheckedBytes && length > packedBytes * zipRatio)
        throw new FileError('zip-bomb', `it is more than ${zipRatio} times what it is packed in`);
      yield chunk;
    }
  } catch (error) {
    throw isOfZlib(error) ? new FileError('zip-damaged', 'it cannot be unpacked') : error;
  }
}
