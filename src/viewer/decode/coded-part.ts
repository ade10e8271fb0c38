import type { CodedSize } from '../../../dicom/image-model.ts';
import type { LoadedImage } from './loaded-image.ts';

/** Returns the pixels from the top left that are in the codestream of the file. The rest of the image has no values. */
export const codedPart = ({
  coded,
  pixelWidth,
  pixelHeight,
  reduction,
}: Pick<LoadedImage, 'coded' | 'pixelWidth' | 'pixelHeight' | 'reduction'>): CodedSize =>
  coded
    ? { columns: Math.ceil(coded.columns / reduction), rows: Math.ceil(coded.rows / reduction) }
    : { columns: pixelWidth, rows: pixelHeight };
