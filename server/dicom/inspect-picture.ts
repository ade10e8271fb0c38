import { takenAt } from './picture-date.ts';
import { readPicture } from './picture-pixels.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

/** Properties of a picture that the import needs. Upright size in pixels. */
export interface PictureInspection {
  readonly width: number;
  readonly height: number;
  /** Acquisition time, `YYYY-MM-DDTHH:MM:SS` in the camera's local time; null when unknown. */
  readonly acquiredAt: string | null;
}

/**
 * Decodes a picture in full.
 * @throws DicomProblem as `openPicture`, 'too-large'; StorageError 'damaged'
 */
export const inspectPicture = async (file: FileToRead, maxFileBytes: number): Promise<PictureInspection> => {
  const bytes = await readWholeFile(file, maxFileBytes);
  const { rows, columns } = await readPicture(bytes);
  return { width: columns, height: rows, acquiredAt: await takenAt(bytes) };
};
