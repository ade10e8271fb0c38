import { StorageFault } from '../storage/file-store.ts';

/** A full or unwritable disk: no fault of the image, tried again later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof StorageFault ? error.code !== 'missing' : error instanceof Error && 'syscall' in error;
