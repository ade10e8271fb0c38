import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type ByteRange, type FileStore, type Pace, StorageError } from './file-store.ts';
import { codeOf, isMissing } from './storage-error.ts';

/** Small enough that hashing blocks the thread for only a fraction of a millisecond. */
const chunkBytes = 1 << 18;
const sentChunkBytes = 1 << 19;
/** Keeps range requests on a large file from verifying it each time. */
const recentMs = 60_000;
const maxRecent = 1000;

const damaged = (sha256: string): StorageError =>
  new StorageError('damaged', `The bytes of file ${sha256} are not those that were stored`);

/** Returns the SHA-256 in hex of all bytes of an open file. */
const hashOf = async (file: FileHandle, pace: Pace): Promise<string> => {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
    await pace(bytesRead);
  }
};

const unpaced: Pace = async () => undefined;

/** Creates reads that verify a stored file against its hash first. `pathOf` throws StorageError 'missing'. */
export const createVerifiedReads = (
  pathOf: (sha256: string) => Promise<string>,
): Pick<FileStore, 'verify' | 'openVerified'> => {
  const recent = new Map<string, { readonly state: string; readonly until: number }>();

  const openFile = async (sha256: string): Promise<FileHandle> => {
    try {
      return await open(await pathOf(sha256));
    } catch (error) {
      if (isMissing(error)) throw new StorageError('missing', `The store holds no file ${sha256}`);
      throw error;
    }
  };

  const compare = async (file: FileHandle, sha256: string, pace: Pace = unpaced): Promise<void> => {
    try {
      if ((await hashOf(file, pace)) !== sha256) throw damaged(sha256);
    } catch (error) {
      // The disk cannot read a part of it.
      throw codeOf(error) === 'EIO' ? damaged(sha256) : error;
    }
  };

  const stateOf = async (file: FileHandle): Promise<string> => {
    const { ino, size, mtimeMs, ctimeMs } = await file.stat();
    return [ino, size, mtimeMs, ctimeMs].join(' ');
  };

  const remember = (sha256: string, state: string): void => {
    recent.delete(sha256);
    recent.set(sha256, { state, until: Date.now() + recentMs });
    const [oldest] = recent.keys();
    if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest);
  };

  const isRecent = (sha256: string, state: string): boolean => {
    const verified = recent.get(sha256);
    return verified !== undefined && verified.state === state && verified.until > Date.now();
  };

  return {
    verify: async (sha256, pace) => {
      const file = await openFile(sha256);
      try {
        await compare(file, sha256, pace);
        return (await file.stat()).size;
      } finally {
        await file.close();
      }
    },
    openVerified: async (sha256: string, range?: ByteRange): Promise<Readable> => {
      const file = await openFile(sha256);
      try {
        const state = await stateOf(file);
        if (!range || !isRecent(sha256, state)) {
          await compare(file, sha256);
          remember(sha256, state);
        }
      } catch (error) {
        await file.close();
        throw error;
      }
      // The same descriptor: a file that replaces it meanwhile is not sent.
      const part = range ? { start: range.first, end: range.last } : { start: 0 };
      const stream = file.createReadStream({ ...part, highWaterMark: sentChunkBytes });
      finished(stream).catch(() => undefined);
      return stream;
    },
  };
};
