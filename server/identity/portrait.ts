import sharp from 'sharp';
import { ProblemError } from '../domain/problem-error.ts';

/** Width and height of the stored picture in pixels. */
const edge = 256;
/** Pixel limits. JPEG decoders downscale while reading; a PNG of a few bytes may claim any size. */
const maxPixels = { jpeg: 1 << 27, png: 1 << 25 } as const;
const secondsAtMost = 10;

let last: Promise<unknown> = Promise.resolve();

/** One at a time: decoding shares threads with the image archive. */
const serialized = <T>(work: () => Promise<T>): Promise<T> => {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
};

const isTaken = (format: string): format is keyof typeof maxPixels => Object.hasOwn(maxPixels, format);

const draw = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const picture = sharp(bytes, { limitInputPixels: maxPixels.jpeg, failOn: 'error' });
  const { format, width, height } = await picture.metadata();
  if (!isTaken(format) || width * height > maxPixels[format]) throw new ProblemError('picture-not-readable');
  return picture
    .autoOrient()
    .resize(edge, edge, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .webp({ quality: 84 })
    .timeout({ seconds: secondsAtMost })
    .toBuffer();
};

/**
 * Converts a JPEG or PNG to a square WebP of 256 pixels: rotated upright, centre crop, without metadata such as location.
 * @throws ProblemError 'picture-not-readable'
 */
export const portraitOf = (bytes: Uint8Array): Promise<Uint8Array> =>
  serialized(() =>
    draw(bytes).catch(() => {
      throw new ProblemError('picture-not-readable');
    }),
  );
