import type { ImportLimits } from '../../../contract/uploads.ts';

/** Most bytes of one file. A zip is never read whole, so it may have as many as its entries may have together. */
export const sizeLimitOf = (limits: Pick<ImportLimits, 'fileBytes' | 'zipBytes'>, path: string): number =>
  /\.zip$/i.test(path) ? Math.max(limits.zipBytes, limits.fileBytes) : limits.fileBytes;
