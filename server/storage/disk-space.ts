import { statfs } from 'node:fs/promises';
import { StorageError } from './file-store.ts';

/** Bytes of a file system; `freeBytes` is what this process may use. */
export interface Space {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface DiskSpace {
  /** Returns the space of the disk and the bytes reserved for the database and the system; null when the folder is gone. */
  read(): Promise<(Space & { readonly reservedBytes: number }) | null>;
  /** @throws StorageError 'full' when `bytes` more would use the reserve */
  ensure(bytes: number): Promise<void>;
}

export const readSpace = async (folder: string): Promise<Space> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;

/** Returns the default reserve: 2 % of the disk, at least 64 MB and at most 2 GB. */
export const defaultReserve = (totalBytes: number): number =>
  Math.min(2 * gigabyte, Math.max(64 * megabyte, Math.round(totalBytes * 0.02)));

interface DiskSpaceOptions {
  readonly folder: string;
  /** Null: `defaultReserve`. */
  readonly reservedBytes: number | null;
  readonly readFolder?: (folder: string) => Promise<Space>;
}

/** Creates the guard of the disk's reserve: imports stop before the database and sign-in lack space. */
export const createDiskSpace = ({ folder, reservedBytes, readFolder = readSpace }: DiskSpaceOptions): DiskSpace => {
  const read: DiskSpace['read'] = async () => {
    // A missing folder is reported by the store itself.
    const space = await readFolder(folder).catch(() => null);
    return space && { ...space, reservedBytes: reservedBytes ?? defaultReserve(space.totalBytes) };
  };
  return {
    read,
    ensure: async (bytes) => {
      const space = await read();
      if (space && space.freeBytes - bytes < space.reservedBytes)
        throw new StorageError('full', `Storing ${bytes} bytes would use the reserve of ${folder}`);
    },
  };
};
