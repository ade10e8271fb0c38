import { imageKindOf } from '../../../../contract/image-kinds.ts';
import type { ImageInfo } from '../../../../contract/images.ts';

/** Returns whether an image is one of several slices, or a file of slices. */
export const isSlice = ({ seriesModalityValue }: Pick<ImageInfo, 'seriesModalityValue'>): boolean =>
  imageKindOf(seriesModalityValue, []) === 'slice';
