import { tagsByVr } from './tags-by-vr.ts';

const known = new Map<number, string>(
  Object.entries(tagsByVr).flatMap(([vr, tags]) =>
    (tags.match(/.{8}/g) ?? []).map((tag): [number, string] => [Number.parseInt(tag, 16), vr]),
  ),
);

/** Smallest and largest pixel values and padding: SS in an image of signed values. */
const signedLikePixels = new Set([0x00280106, 0x00280107, 0x00280108, 0x00280109, 0x00280120, 0x00280121]);

/** Returns the value representation of an element in an implicit data set; UN when the standard has none. */
export const vrOf = (tag: number, hasSignedPixels: boolean): string => {
  if (hasSignedPixels && signedLikePixels.has(tag)) return 'SS';
  const isPrivateCreator = (tag >>> 16) % 2 === 1 && (tag & 0xffff) >= 0x10 && (tag & 0xffff) <= 0xff;
  return isPrivateCreator ? 'LO' : (known.get(tag) ?? 'UN');
};
