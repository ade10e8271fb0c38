import { buffer } from 'node:stream/consumers';
import { type DicomFile, readDicomFile } from '../../../dicom/file.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { tags } from '../../../dicom/tags.ts';
import type { FileStore } from '../../storage/file-store.ts';

/** The first size covers the header of nearly every image; icons and private groups may need the others. */
const headBytes = [2 ** 16, 2 ** 20, 2 ** 24];
const pixelTags = [tags.pixelData, tags.floatPixelData, tags.doubleFloatPixelData];

const hasPixelData = ({ dataSet }: DicomFile) => pixelTags.some((tag) => dataSet.elements.has(tag));

/** Returns the file when its head reaches the pixel data; null when more is needed. */
const fromHead = (head: Uint8Array, fileBytes: number): DicomFile | null => {
  try {
    const file = readDicomFile(head, { fileBytes });
    return hasPixelData(file) ? file : null;
  } catch (problem) {
    if (problem instanceof DicomProblem) return null;
    throw problem;
  }
};

/**
 * Reads the elements of a stored DICOM image before its pixel data, from its first bytes where possible; pixels must not be read from it.
 * @throws DicomProblem, 'no-pixel-data' for an object without pixels
 */
export const readStoredHeader = async (files: FileStore, sha256: string, sizeBytes: number): Promise<DicomFile> => {
  for (const length of headBytes.filter((size) => size < sizeBytes)) {
    const head = await buffer(await files.openRange(sha256, { first: 0, last: length - 1 }));
    const file = fromHead(head, sizeBytes);
    if (file) return file;
  }
  const file = readDicomFile(await buffer(await files.openRange(sha256)));
  if (!hasPixelData(file)) throw new DicomProblem('no-pixel-data', 'the object has no pixel data');
  return file;
};
