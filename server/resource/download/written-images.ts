import type { DirectoryKeys } from '../../../dicom/directory-keys.ts';
import type { ImageReference } from '../../../dicom/display-objects/model.ts';
import type { DicomFile } from '../../../dicom/file.ts';
import { describeImage } from '../../../dicom/image-description.ts';
import type { ImageDescription } from '../../../dicom/image-model.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { tags } from '../../../dicom/tags.ts';

/** An image on a medium, as presentations refer to it. */
export interface WrittenImage {
  readonly keys: DirectoryKeys;
  readonly reference: ImageReference;
  /** Null: its attributes cannot be read. */
  readonly description: ImageDescription | null;
  readonly iccProfile: Uint8Array | null;
}

const descriptionOf = (file: DicomFile): ImageDescription | null => {
  try {
    return describeImage(file);
  } catch (problem) {
    if (problem instanceof DicomProblem) return null;
    throw problem;
  }
};

/** Returns what presentations need of an image file, without holding its bytes. */
export const writtenImage = (file: DicomFile, keys: DirectoryKeys): WrittenImage => {
  const { image, series, study } = keys;
  const profile = file.dataSet.bytes(tags.iccProfile);
  return {
    keys,
    reference: {
      sopClassUid: image.sopClassUid,
      sopInstanceUid: image.sopInstanceUid,
      seriesUid: series.uid,
      studyUid: study.uid,
    },
    description: descriptionOf(file),
    iccProfile: profile && Uint8Array.from(profile),
  };
};
