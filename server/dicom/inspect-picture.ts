import { takenAt } from './picture-date.ts';
import { readPicture } from './picture-pixels.ts';
import { readWholeFile } from './whole-file.ts';

/** What importing a jpg or png needs to know about it. Pixels, upright. */
export interface PictureInspection {
  readonly width: number;
  readonly height: number;
  /** When it was taken, `YYYY-MM-DDTHH:MM:SS` in the camera's own time; null when it does not say. */
  readonly acquiredAt: string | null;
}

/**
 * Decodes a picture whole.
 * @throws DicomProblem 'picture-unsupported', 'too-large'
 */
export const inspectPicture = async (path: string, maxFileBytes: number): Promise<PictureInspection> => {
  const bytes = await readWholeFile(path, maxFileBytes);
  const { rows, columns } = await readPicture(bytes);
  return { width: columns, height: rows, acquiredAt: await takenAt(bytes) };
};
