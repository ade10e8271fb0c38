/** Keys of the objects in a bucket of an archive. */
export const filesPrefix = 'files/';
export const quarantinePrefix = 'quarantine/';
/** Thumbnails and renditions: `derived/<kind>/<sha256>-...`. */
export const derivedPrefix = 'derived/';
export const partsPrefix = 'parts/';
/** Marks of files that are being removed for good: writers of the same bytes wait. */
export const removingPrefix = 'removing/';

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
export const keyOf = (sha256: string): string => `${filesPrefix}${sha256}`;
export const quarantineKeyOf = (day: string, sha256: string): string => `${quarantinePrefix}${day}/${sha256}`;

/** Returns the hash at the end of a key; null when the key was not written by a store. */
export const hashOfKey = (key: string): string | null => {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return isHash(name) ? name : null;
};
