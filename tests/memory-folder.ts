import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
/** More than databases and data folders of a run take, in bytes. */
const needed = 4e9;

/** Returns the folder for temporary databases and archives: one in memory, where there is space, or the system's for temporary files. */
export const memoryFolder = (): string => {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > needed ? memory : tmpdir();
};
