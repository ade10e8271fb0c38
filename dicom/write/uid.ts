const mix = (value: number): number => {
  let word = value ^ (value >>> 16);
  word = Math.imul(word, 0x85ebca6b);
  word ^= word >>> 13;
  word = Math.imul(word, 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
};

/** 128 bits from a text, as four 32-bit words. Stable for ever and isomorphic; not a cryptographic hash. */
const hash128 = (seed: string): [number, number, number, number] => {
  const words: [number, number, number, number] = [0x9e3779b9, 0x7f4a7c15, 0x243f6a88, 0xb7e15162];
  for (const byte of new TextEncoder().encode(seed)) {
    words[0] = Math.imul(words[0] ^ byte, 0x01000193);
    words[1] = Math.imul(words[1] ^ (byte + 0x3d), 0x5bd1e995) ^ (words[0] >>> 15);
    words[2] = Math.imul(words[2] ^ (byte + 0xa7), 0x27d4eb2f) ^ (words[1] >>> 13);
    words[3] = Math.imul(words[3] ^ (byte + 0x1f), 0x165667b1) ^ (words[2] >>> 11);
  }
  return [mix(words[0]), mix(words[1] ^ words[0]), mix(words[2] ^ words[1]), mix(words[3] ^ words[2] ^ seed.length)];
};

/** The same UUID for the same seed, in lower case. Version 8 (custom) and the RFC 9562 variant bits are set. */
export const uuidFrom = (seed: string): string => {
  const words = hash128(seed);
  words[1] = ((words[1] & 0xffff0fff) | 0x00008000) >>> 0;
  words[2] = ((words[2] & 0x3fffffff) | 0x80000000) >>> 0;
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** A UID under 2.25 from a UUID: the UUID written as one decimal integer (DICOM PS3.5 B.2). */
export const uidOfUuid = (uuid: string): string => `2.25.${BigInt(`0x${uuid.replaceAll('-', '')}`).toString(10)}`;

/** The same UID for the same seed, at most 44 characters, under 2.25. */
export const uidFrom = (seed: string): string => uidOfUuid(uuidFrom(seed));
