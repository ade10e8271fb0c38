/** Tags of the first image of a TIFF (TIFF 6.0; DNGVersion of the Adobe DNG specification) that decide whether it can be imported. */
export const TIFF_TAG = {
  newSubfileType: 254,
  compression: 259,
  photometric: 262,
  dngVersion: 50_706,
} as const;

/** Sizes in bytes of a count, an offset and a whole entry, and the offset of the first directory's offset. */
const classic = { count: 2, offset: 4, entry: 12, first: 4 } as const;
const big = { count: 8, offset: 8, entry: 20, first: 8 } as const;

const types = { byte: 1, short: 3, long: 4 } as const;

/**
 * Returns the first value of each entry of bytes, shorts and longs in the first directory of a TIFF or BigTIFF.
 * @throws RangeError when the directory is not within the bytes
 */
export const tiffDirectory = (bytes: Uint8Array): ReadonlyMap<number, number> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = view.getUint8(0) === 0x49;
  const form = view.getUint16(2, little) === 43 ? big : classic;
  const read = (place: number, size: number): number => {
    if (size === 1) return view.getUint8(place);
    if (size === 2) return view.getUint16(place, little);
    return size === 4 ? view.getUint32(place, little) : Number(view.getBigUint64(place, little));
  };
  const start = read(form.first, form.offset);
  const found = new Map<number, number>();
  for (let place = start + form.count, left = read(start, form.count); left > 0; left--, place += form.entry) {
    const type = read(place + 2, 2);
    const value = place + 4 + form.offset;
    if (type === types.byte) found.set(read(place, 2), read(value, 1));
    else if (type === types.short) found.set(read(place, 2), read(value, 2));
    else if (type === types.long) found.set(read(place, 2), read(value, 4));
  }
  return found;
};
