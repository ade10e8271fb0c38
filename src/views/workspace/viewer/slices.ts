import type { ImageInfo } from '../../../../contract/images.ts';

/** Modalities whose images are slices of a volume. */
const sliceModalities: readonly string[] = ['CT', 'MR', 'PT'];

/** Returns whether an image is one of several slices, or a file of slices. */
export const isSlice = ({ seriesModalityValue }: Pick<ImageInfo, 'seriesModalityValue'>): boolean =>
  sliceModalities.includes(seriesModalityValue);
