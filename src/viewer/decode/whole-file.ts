import { type DicomFile, readDicomFile } from '../../../dicom/file.ts';
import { encodedFrame } from '../../../dicom/frames.ts';
import { describeImage } from '../../../dicom/image-description.ts';
import type { ImageDescription } from '../../../dicom/image-model.ts';
import { overlayPlanesOf } from '../../../dicom/overlay-planes.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { descriptionOfFrame, storedAs } from '../../../dicom/rendition/rendition.ts';
import type { EncodedImage } from './encoded-image.ts';

const frameOfFile = (file: DicomFile, description: ImageDescription, frame: number): EncodedImage => {
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
    arePlanesPacked: false,
    payload,
  };
};

/** A whole DICOM file, cached while its frames are shown. */
export interface WholeFile {
  readonly frames: number;
  /** Returns one encoded frame. @param frame from 1. @throws DicomProblem 'no-such-frame' and those of reading */
  readonly frameAt: (frame: number) => EncodedImage;
}

/** Reads a DICOM file with all its frames. @throws DicomProblem when it is malformed or has no pixel data */
export const openWholeFile = (bytes: Uint8Array): WholeFile => {
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (!description) throw new DicomProblem('no-pixel-data', 'the object has no pixel data');
  return {
    frames: description.numberOfFrames,
    frameAt: (frame) => frameOfFile(file, description, frame),
  };
};
