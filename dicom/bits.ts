/** Returns a bit of packed bits, the first in the least significant bit of the first byte. */
export const isBitSet = (bytes: Uint8Array, index: number): boolean =>
  (((bytes[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
