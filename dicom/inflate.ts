import { Inflate } from 'pako';
import { DicomProblem } from './problem.ts';

/** Z_BUF_ERROR of zlib: the packed bytes stop before their end mark. */
const NEEDS_MORE_INPUT = -5;

/** What is below does no harm, whatever it was packed in: a blank picture packs a thousand to one. */
const HARMLESS_BYTES = 1 << 25;
/** Far more than images and reports pack. */
const MOST_RATIO = 200;

/**
 * Unpacks a deflated data set (PS3.5 A.5, raw RFC 1951) and refuses one that grows past `limit` bytes, or past belief, before it does.
 * @throws DicomProblem 'malformed', 'truncated' or 'too-large'
 */
export const inflateDataSet = (packed: Uint8Array, limit: number): Uint8Array => {
  const chunks: Uint8Array[] = [];
  let total = 0;
  const inflater = new Inflate({ raw: true, chunkSize: 1 << 18 });
  const most = Math.min(limit, Math.max(HARMLESS_BYTES, packed.length * MOST_RATIO));
  inflater.onData = (chunk: Uint8Array) => {
    total += chunk.length;
    if (total > most) throw new DicomProblem('too-large', `the deflated data set unpacks to more than ${most} bytes`);
    chunks.push(chunk);
  };
  inflater.push(packed, true);
  if (inflater.err === NEEDS_MORE_INPUT) throw new DicomProblem('truncated', 'the deflated data set ends too early');
  if (inflater.err) throw new DicomProblem('malformed', 'the deflated data set cannot be unpacked');
  if (!inflater.ended) throw new DicomProblem('truncated', 'the deflated data set ends too early');
  const bytes = new Uint8Array(total);
  let place = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, place);
    place += chunk.length;
  }
  return bytes;
};
