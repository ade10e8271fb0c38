import { type DicomFile, readDicomFile } from '../../../dicom/file.ts';
import { encodedFrame } from '../../../dicom/frames.ts';
import { describeImage } from '../../../dicom/image-description.ts';
import type { ImageDescription } from '../../../dicom/image-model.ts';
import { overlayPlanesOf } from '../../../dicom/overlay-planes.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { isRendition } from '../../../dicom/rendition/container.ts';
import { readRendition } from '../../../dicom/rendition/read-rendition.ts';
import { descriptionOfFrame, type Rendition, storedAs } from '../../../dicom/rendition/rendition.ts';

/** One encoded frame. Its payload may be transferred. */
export type EncodedImage = Pick<
  Rendition,
  'level' | 'reduction' | 'description' | 'stored' | 'range' | 'overlayPlanes' | 'coded' | 'payload' | 'frame'
>;

/** A whole DICOM file, cached while its frames are shown. */
export interface OpenFile {
  readonly file: DicomFile;
  readonly description: ImageDescription;
}

/**
 * Reads a rendition of the archive (one encoded frame), or a DICOM file with all its frames.
 * @throws DicomProblem when the bytes are neither, or are malformed
 */
export const openBytes = (buffer: ArrayBuffer): EncodedImage | OpenFile => {
  const bytes = new Uint8Array(buffer);
  if (isRendition(bytes)) return readRendition(bytes);
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (!description) throw new DicomProblem('no-pixel-data', 'the object has no pixel data');
  return { file, description };
};

/** Returns one encoded frame of a file. @param frame from 1. @throws DicomProblem 'no-such-frame' and those of reading */
export const frameOfFile = ({ file, description }: OpenFile, frame: number): EncodedImage => {
  const payload = encodedFrame(file, description, frame - 1).slice();
  return {
    frame,
    level: 'full',
    reduction: 1,
    description: descriptionOfFrame(description, frame - 1),
    stored: storedAs(description),
    range: null,
    coded: null,
    overlayPlanes: overlayPlanesOf(file, description, frame - 1, payload),
    payload,
  };
};
