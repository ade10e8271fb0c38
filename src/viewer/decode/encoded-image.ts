import { type DicomFile, readDicomFile } from '../../../dicom/file.ts';
import { encodedFrame } from '../../../dicom/frames.ts';
import { describeImage } from '../../../dicom/image-description.ts';
import type { ImageDescription } from '../../../dicom/image-model.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { isRendition } from '../../../dicom/rendition/container.ts';
import { readRendition } from '../../../dicom/rendition/read-rendition.ts';
import { descriptionOfFrame, type Rendition, storedAs } from '../../../dicom/rendition/rendition.ts';

/** One frame before it is decoded. Its payload may be given away. */
export type EncodedImage = Pick<
  Rendition,
  'level' | 'reduction' | 'description' | 'stored' | 'range' | 'payload' | 'frame'
>;

/** A whole DICOM file, kept while its frames are looked at. */
export interface OpenFile {
  readonly file: DicomFile;
  readonly description: ImageDescription;
}

/**
 * What came in: a rendition of the archive, ready for a decoder, or a DICOM file, from which any frame can be had.
 * @throws DicomProblem when it is neither, or is broken
 */
export const openBytes = (buffer: ArrayBuffer): EncodedImage | OpenFile => {
  const bytes = new Uint8Array(buffer);
  if (isRendition(bytes)) return readRendition(bytes);
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (!description) throw new DicomProblem('no-pixel-data', 'the object holds no picture');
  return { file, description };
};

/** @param frame from 1. @throws DicomProblem 'no-such-frame' and what reading throws */
export const frameOfFile = ({ file, description }: OpenFile, frame: number): EncodedImage => ({
  frame,
  level: 'full',
  reduction: 1,
  description: descriptionOfFrame(description, frame - 1),
  stored: storedAs(description),
  range: null,
  payload: encodedFrame(file, description, frame - 1).slice(),
});
