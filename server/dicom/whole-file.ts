import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { DicomProblem } from '../../dicom/problem.ts';
import { StorageError } from '../storage/file-store.ts';
import { codeOf } from '../storage/storage-error.ts';

/** A local file. */
export interface FileToRead {
  readonly path: string;
  /** Expected hash (hex), where known: a damaged file is not decoded. */
  readonly sha256?: string | undefined;
}

const damaged = (): StorageError => new StorageError('damaged', 'The bytes of a file are not those that were stored');

const readAll = async ({ path, sha256 }: FileToRead, maxBytes: number): Promise<Uint8Array> => {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new DicomProblem('too-large', `the file has ${size} bytes, ${maxBytes} are the limit`);
    return await handle.readFile();
  } catch (error) {
    // The disk cannot read a part of it.
    throw sha256 !== undefined && codeOf(error) === 'EIO' ? damaged() : error;
  } finally {
    await handle.close();
  }
};

/**
 * Returns the bytes of a file of at most `maxBytes`.
 * @throws DicomProblem 'too-large'; StorageError 'damaged' when they do not match its hash
 */
export const readWholeFile = async (file: FileToRead, maxBytes: number): Promise<Uint8Array> => {
  const bytes = await readAll(file, maxBytes);
  if (file.sha256 !== undefined && hash('sha256', bytes, 'hex') !== file.sha256) throw damaged();
  return bytes;
};
