/** Names of transfer syntaxes that the archive cannot decode (PS3.6 table A-1), by the part of the UID behind 1.2.840.10008.1.2. */
const names: readonly (readonly [uid: RegExp, name: string])[] = [
  [/^4\.10[01](\.1)?$/, 'MPEG-2'],
  [/^4\.10[2-6](\.1)?$/, 'MPEG-4 AVC (H.264)'],
  [/^4\.10[78]$/, 'HEVC (H.265)'],
  // Of signed values.
  [/^4\.11[0-2]$/, 'JPEG XL'],
  [/^4\.9[23]$/, 'JPEG 2000 Part 2'],
  [/^4\.(9[45]|20[45])$/, 'JPIP'],
  [/^7\.[1-3]$/, 'SMPTE ST 2110'],
];

/** Returns the name of an unsupported transfer syntax, or its UID. */
export const transferSyntaxName = (uid: string): string => {
  const part = uid.replace(/^1\.2\.840\.10008\.1\.2\./, '');
  return names.find(([pattern]) => pattern.test(part))?.[1] ?? uid;
};
