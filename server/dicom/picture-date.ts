import readExif from 'exif-reader';
import sharp from 'sharp';

/** Exif of a jpg is at most 64 KB; in other formats it can have any size. */
const maxExifBytes = 2 ** 18;

/** Matches `YYYY-MM-DDTHH:MM:SS` from the start of digital photography. */
const momentOf = (date: unknown, exif: Buffer): string | null => {
  if (!(date instanceof Date) || Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1980) return null;
  if (date.getTime() > Date.now() + 86_400_000) return null;
  const moment = date.toISOString().slice(0, 19);
  // The Exif reader normalizes invalid dates (40 January becomes 9 February), so the date must occur in the bytes as read.
  return exif.includes(moment.replaceAll('-', ':').replace('T', ' '), 0, 'latin1') ? moment : null;
};

/**
 * Returns the acquisition time of a picture: DateTimeOriginal of Exif (CIPA DC-008 4.6.5), in the camera's local time. Null when missing or
 * implausible: cameras without a clock write zeros or 1970, and clocks may run ahead.
 */
export const takenAt = async (bytes: Uint8Array): Promise<string | null> => {
  try {
    const { exif } = await sharp(bytes).metadata();
    // The reader parses the digits as UTC, so formatting as UTC returns them as written.
    return exif && exif.length <= maxExifBytes ? momentOf(readExif(exif).Photo?.DateTimeOriginal, exif) : null;
  } catch {
    return null;
  }
};
