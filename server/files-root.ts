import path from 'node:path';
import type { Config } from './config.ts';
import { openBucketHome } from './storage/bucket/bucket-home.ts';
import type { FilesRoot } from './storage/files-home.ts';

/** Returns where the files of this installation are: the folder in the data folder, or the configured bucket. */
export const openFilesRoot = async ({
  dataFolder,
  filesBucket,
}: Pick<Config, 'dataFolder'> & Partial<Pick<Config, 'filesBucket'>>): Promise<FilesRoot> =>
  filesBucket ? openBucketHome(filesBucket, path.join(dataFolder, 'cache')) : path.join(dataFolder, 'files');
