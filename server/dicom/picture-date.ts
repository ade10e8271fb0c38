import readExif from 'exif-reader';
import sharp from 'sharp';

/** Exif of a jpg is at most 64 KB; in a png it can be anything. */
const mostExifBytes = 2 ** 18;

/** `YYYY-MM-DDTHH:MM:SS`, when it is a moment since there are digital cameras. */
const momentOf = (date: unknown, exif: Buffer): string | null => {
  if (!(date instanceof Date) || Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1980) return null;
  if (date.getTime() > Date.now() + 86_400_000) return null;
  const moment = date.toISOString().slice(0, 19);
  // The reader makes the 9th of February of a 40th of January; a real date stands in the bytes as it is read.
  return exif.includes(moment.replaceAll('-', ':').replace('T', ' '), 0, 'latin1') ? moment : null;
};

/**
 * When a jpg or png was taken: DateTimeOriginal of Exif (CIPA DC-008 4.6.5), in the camera's own time. Null when it does not say, or nothing that can
 * be believed: cameras without a clock write zeros or 1970, and a clock that is wrong may run ahead.
 */
export const takenAt = async (bytes: Uint8Array): Promise<string | null> => {
  try {
    const { exif } = await sharp(bytes).metadata();
    // The reader takes the digits for Universal Time, so that they come back as they were written.
    return exif && exif.length <= mostExifBytes ? momentOf(readExif(exif).Photo?.DateTimeOriginal, exif) : null;
  } catch {
    return null;
  }
};
