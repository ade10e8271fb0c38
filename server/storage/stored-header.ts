import { buffer } from 'node:stream/consumers';
import { type DicomFile, pixelElementOf, readDicomFile, readDicomHead } from '../../dicom/file.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import type { FileStore } from './file-store.ts';

/** The first size covers the header of nearly every image; icons and private groups may need the others. */
const headBytes = [2 ** 16, 2 ** 20, 2 ** 24];

/** Reads the elements of a stored DICOM object before its pixel data from its first bytes; null when these do not reach it. */
export const readStoredHead = async (
  files: FileStore,
  sha256: string,
  sizeBytes: number,
): Promise<DicomFile | null> => {
  for (const length of headBytes.filter((size) => size < sizeBytes)) {
    const head = await buffer(await files.openRange(sha256, { first: 0, last: length - 1 }));
    const file = readDicomHead(head, sizeBytes);
    if (file) return file;
  }
  return null;
};

/**
 * Reads the elements of a stored DICOM image before its pixel data, from its first bytes where possible; pixels must not be read from it.
 * @throws DicomProblem, 'no-pixel-data' for an object without pixels
 */
export const readStoredHeader = async (files: FileStore, sha256: string, sizeBytes: number): Promise<DicomFile> => {
  const head = await readStoredHead(files, sha256, sizeBytes);
  if (head) return head;
  const file = readDicomFile(await buffer(await files.openRange(sha256)));
  if (!pixelElementOf(file)) throw new DicomProblem('no-pixel-data', 'the object has no pixel data');
  return file;
};
