import { Readable } from 'node:stream';
import { DicomProblem } from '../../../dicom/problem.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import { fileMeta } from '../../../dicom/write/file-meta.ts';
import { deflatedFile, type Patch, replaceElements } from '../../../dicom/write/replace-elements.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { readElementsOf } from './attribute-reader.ts';
import { correctionsOf } from './recorded-identity.ts';

/** A stored object as it leaves. */
export interface SentObject {
  /** Exactly the bytes of its file. */
  readonly isAsStored: boolean;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** Returns what a file lacks before its first byte to be one of PS3.10: the preamble, or with it the meta information. */
const missingStart = (head: Uint8Array, row: DicomWebImageRow): readonly Uint8Array[] => {
  if (String.fromCharCode(...head.subarray(128, 132)) === 'DICM') return [];
  const start = fileMeta(row.sop_class_uid ?? '', row.sop_instance_uid, row.transfer_syntax);
  return head[0] === 2 && head[1] === 0 ? start.slice(0, 1) : start;
};

async function* patched(
  files: FileStore,
  row: DicomWebImageRow,
  start: readonly Uint8Array[],
  patches: readonly Patch[],
) {
  yield* start;
  let at = 0;
  for (const { from, to, bytes } of patches) {
    if (from > at) yield* await files.openRange(row.sha256, { first: at, last: from - 1 });
    if (bytes.length > 0) yield bytes;
    at = to;
  }
  if (at === 0) yield* await files.openRange(row.sha256);
  else if (at < row.size_bytes) yield* await files.openRange(row.sha256, { first: at, last: row.size_bytes - 1 });
}

/** Returns the stored file and what has to change in it. @throws ProblemError 'image-not-readable' */
const correctedFile = async (files: FileStore, row: DicomWebImageRow) => {
  try {
    const file = await readElementsOf(files, row);
    const corrections = correctionsOf(file, row);
    return { file, patches: corrections === null ? [] : replaceElements(file.dataSet, corrections) };
  } catch (error) {
    if (error instanceof DicomProblem) throw new ProblemError('image-not-readable');
    throw error;
  }
};

/**
 * Returns a stored object, whose file was verified: byte for byte, unless the records name another patient or study than the file.
 * @throws ProblemError 'image-not-readable'; StorageError 'missing', 'away'
 */
export const sentObject = async (files: FileStore, row: DicomWebImageRow): Promise<SentObject> => {
  const head = Buffer.concat(await (await files.openRange(row.sha256, { first: 0, last: 131 })).toArray());
  const start = missingStart(head, row);
  const { file, patches } = await correctedFile(files, row);
  if (patches.length > 0 && file.transferSyntaxUid === transferSyntaxes.deflatedLittleEndian)
    return { isAsStored: false, open: () => Readable.from([...start, deflatedFile(file, patches)]) };
  return {
    isAsStored: start.length === 0 && patches.length === 0,
    open: () => patched(files, row, start, patches),
  };
};
