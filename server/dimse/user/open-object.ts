import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { readElements } from '../../../dicom/read-elements.ts';
import { tags } from '../../../dicom/tags.ts';
import type { SentObject } from './requests.ts';

const preambleBytes = 132;
/** File meta information is a few hundred bytes; a private part may make it longer. */
const maxMetaBytes = 256 << 10;

/** Thrown for a file whose meta information does not say what it holds. */
export class NotSendable extends Error {
  override readonly name = 'NotSendable';
}

const headOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxMetaBytes), 0, maxMetaBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

/** Reads what a DICOM file holds (PS3.10) and where its data set begins. @throws NotSendable, DicomProblem, file system errors */
export const openObject = async (file: string): Promise<SentObject> => {
  const head = await headOf(file);
  if (head.toString('latin1', preambleBytes - 4, preambleBytes) !== 'DICM') throw new NotSendable('There is no prefix');
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const source = { bytes: head, view, explicitVr: true, littleEndian: true };
  const { dataSet: meta, end } = readElements(source, preambleBytes, head.length, null, 0, { onlyGroup: 2 });
  const [sopClassUid, sopInstanceUid, transferSyntaxUid] = [
    tags.mediaStorageSopClassUid,
    tags.mediaStorageSopInstanceUid,
    tags.transferSyntaxUid,
  ].map((tag) => meta.code(tag));
  if (!sopClassUid || !sopInstanceUid || !transferSyntaxUid)
    throw new NotSendable('The file meta information lacks a UID');
  return { sopClassUid, sopInstanceUid, transferSyntaxUid, dataSet: createReadStream(file, { start: end }) };
};
