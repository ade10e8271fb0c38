import { open } from 'node:fs/promises';
import { DicomProblem } from '../../dicom/problem.ts';

/** The bytes of a file, unless it is larger than `maxBytes`. @throws DicomProblem 'too-large' */
export const readWholeFile = async (path: string, maxBytes: number): Promise<Uint8Array> => {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new DicomProblem('too-large', `the file has ${size} bytes, ${maxBytes} are the limit`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};
