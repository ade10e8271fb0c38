import { type FileHandle, open } from 'node:fs/promises';
import { type DicomFile, mayBeDicom, pixelElementOf, readDicomFile, readDicomHead } from '../../dicom/file.ts';
import { DicomProblem } from '../../dicom/problem.ts';

/** The first size covers the header of nearly every image; icons and private groups may need the second. */
const headBytes = [2 ** 16, 2 ** 20];

const readStart = async (handle: FileHandle, length: number): Promise<Uint8Array> => {
  const bytes = Buffer.allocUnsafeSlow(length);
  let there = 0;
  while (there < length) {
    const { bytesRead } = await handle.read(bytes, there, length - there, there);
    if (bytesRead === 0) break;
    there += bytesRead;
  }
  return bytes.subarray(0, there);
};

/**
 * Parses a DICOM file with native pixels from its head: complete except for the pixel values, of which only the length is known. Frames must
 * not be read. Null for every other file, and in doubt: read it in full.
 * @throws DicomProblem 'not-dicom' for files recognized as such from the head; 'too-large'
 */
export const readFileHead = async (path: string, maxBytes: number): Promise<DicomFile | null> => {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new DicomProblem('too-large', `the file has ${size} bytes, ${maxBytes} are the limit`);
    for (const length of headBytes) {
      if (size <= length) return null;
      const head = await readStart(handle, length);
      if (!mayBeDicom(head)) return readDicomFile(head);
      const file = readDicomHead(head, size);
      if (file && !pixelElementOf(file)?.fragments) return file;
    }
    return null;
  } finally {
    await handle.close();
  }
};
