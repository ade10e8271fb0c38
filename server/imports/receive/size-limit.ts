import type { ImportLimits } from '../../../contract/uploads.ts';

/** Returns the size limit of a file. A zip is never read whole, so its limit is that of its unpacked entries. */
export const sizeLimitOf = (limits: Pick<ImportLimits, 'fileBytes' | 'zipBytes'>, path: string): number =>
  /\.zip$/i.test(path) ? Math.max(limits.zipBytes, limits.fileBytes) : limits.fileBytes;
