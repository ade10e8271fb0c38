import { createHash } from 'node:crypto';
import { readElements } from '../../dicom/read-elements.ts';
import type { FileStore } from '../storage/file-store.ts';

/** File meta information is a few hundred bytes; a private part may make it longer. */
const maxMetaBytes = 256 << 10;

const endOfMeta = (head: Buffer): number => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return readElements({ bytes: head, view, explicitVr: true, littleEndian: true }, 132, head.length, null, 0, {
    onlyGroup: 2,
  }).end;
};

/** Leaves out preamble and file meta information. @throws DicomProblem */
export async function* dataSetOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file) {
    if (length >= maxMetaBytes) {
      yield chunk;
      continue;
    }
    head.push(chunk);
    length += chunk.length;
    if (length >= maxMetaBytes) {
      const whole = Buffer.concat(head);
      yield whole.subarray(endOfMeta(whole));
    }
  }
  if (length >= maxMetaBytes) return;
  const whole = Buffer.concat(head);
  yield whole.subarray(endOfMeta(whole));
}

/** Returns the hash of the data set of a stored file, whatever its file meta information says. @throws StorageError, DicomProblem */
export const dataSetHash = async (files: FileStore, sha256: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of dataSetOf(await files.openVerified(sha256))) hash.update(chunk);
  return hash.digest('hex');
};
