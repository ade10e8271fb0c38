import { stat } from 'node:fs/promises';
import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { ImageDescription } from '../../dicom/image-model.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { readWholeFile } from './whole-file.ts';

export interface OpenedFile {
  readonly file: DicomFile;
  readonly description: ImageDescription;
}

/** Files above this are read again for each frame. */
const mostKeptBytes = 2 ** 28;
const keptMs = 10_000;

/**
 * Opens files with pictures. One of many frames stays open for some seconds, as the next frame is likely to be asked for soon; the files of the
 * archive never change under a name.
 */
export const createFileOpener = (maxFileBytes: number) => {
  let kept: { readonly path: string; readonly opened: OpenedFile; readonly until: NodeJS.Timeout } | null = null;

  const forget = () => {
    if (kept) clearTimeout(kept.until);
    kept = null;
  };

  /** @throws DicomProblem 'no-pixel-data' for objects without pictures, and whatever reading throws */
  return async (path: string): Promise<OpenedFile> => {
    if (kept?.path === path) {
      kept.until.refresh();
      return kept.opened;
    }
    forget();
    const { size } = await stat(path);
    const file = readDicomFile(await readWholeFile(path, maxFileBytes));
    const description = describeImage(file);
    if (!description) throw new DicomProblem('no-pixel-data', 'the object has no pixel data');
    const opened = { file, description };
    if (description.numberOfFrames > 1 && size <= mostKeptBytes) {
      kept = { path, opened, until: setTimeout(forget, keptMs).unref() };
    }
    return opened;
  };
};
export type OpenFile = ReturnType<typeof createFileOpener>;
