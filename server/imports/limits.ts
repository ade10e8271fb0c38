import type { ImportLimits } from '../../contract/uploads.ts';

/** Default limits of an installation. */
export const defaultLimits: ImportLimits = {
  fileBytes: 2 ** 30,
  filesPerImport: 20_000,
  zipEntries: 50_000,
  zipBytes: 20 * 2 ** 30,
  zipRatio: 200,
  zipDepth: 2,
  folderDepth: 32,
  partBytes: 16 * 2 ** 20,
  aws: false,
};
