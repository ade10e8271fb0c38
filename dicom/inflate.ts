import { Inflate } from 'pako';
import { DicomProblem } from './problem.ts';

/** Z_BUF_ERROR of zlib: the deflated bytes end before their end marker. */
const NEEDS_MORE_INPUT = -5;

/** Sizes below are always allowed: a blank picture compresses a thousand to one. */
const HARMLESS_BYTES = 1 << 25;
/** Far above the compression ratio of images and reports. */
const MAX_RATIO = 200;

/**
 * Inflates a deflated data set (PS3.5 A.5) or frame (Deflated Image Frame Compression), both raw RFC 1951; stops at `limit` bytes or an
 * implausible compression ratio.
 * @throws DicomProblem 'malformed', 'truncated' or 'too-large'
 */
export const inflated = (packed: Uint8Array, limit: number, what: 'data set' | 'frame' | 'overlay'): Uint8Array => {
  const chunks: Uint8Array[] = [];
  let total = 0;
  const inflater = new Inflate({ raw: true, chunkSize: 1 << 18 });
  const maxBytes = Math.min(limit, Math.max(HARMLESS_BYTES, packed.length * MAX_RATIO));
  inflater.onData = (chunk: Uint8Array) => {
    total += chunk.length;
    if (total > maxBytes)
      throw new DicomProblem('too-large', `the deflated ${what} unpacks to more than ${maxBytes} bytes`);
    chunks.push(chunk);
  };
  inflater.push(packed, true);
  if (inflater.err === NEEDS_MORE_INPUT) throw new DicomProblem('truncated', `the deflated ${what} ends too early`);
  if (inflater.err) throw new DicomProblem('malformed', `the deflated ${what} cannot be unpacked`);
  if (!inflater.ended) throw new DicomProblem('truncated', `the deflated ${what} ends too early`);
  const bytes = new Uint8Array(total);
  let written = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, written);
    written += chunk.length;
  }
  return bytes;
};
