import { stat } from 'node:fs/promises';
import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { ImageDescription } from '../../dicom/image-model.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

export interface OpenedFile {
  readonly file: DicomFile;
  readonly description: ImageDescription;
}

/** Larger files are read again for each frame. */
const maxCachedBytes = 2 ** 28;
const cacheMs = 10_000;

/**
 * Opens image files. A multi-frame file is cached for some seconds, because the next frame is usually requested soon; archived files never
 * change under a name.
 */
export const createFileOpener = (maxFileBytes: number) => {
  let cached: { readonly path: string; readonly opened: OpenedFile; readonly until: NodeJS.Timeout } | null = null;

  const forget = () => {
    if (cached) clearTimeout(cached.until);
    cached = null;
  };

  /** @throws DicomProblem 'no-pixel-data' for objects without pixels, and read errors such as StorageError 'damaged' */
  return async ({ path, sha256 }: FileToRead): Promise<OpenedFile> => {
    if (cached?.path === path) {
      cached.until.refresh();
      return cached.opened;
    }
    forget();
    const { size } = await stat(path);
    const file = readDicomFile(await readWholeFile({ path, sha256 }, maxFileBytes));
    const description = describeImage(file);
    if (!description) throw new DicomProblem('no-pixel-data', 'the object has no pixel data');
    const opened = { file, description };
    if (description.numberOfFrames > 1 && size <= maxCachedBytes) {
      cached = { path, opened, until: setTimeout(forget, cacheMs).unref() };
    }
    return opened;
  };
};
export type OpenFile = ReturnType<typeof createFileOpener>;
