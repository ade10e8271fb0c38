import sharp from 'sharp';
import { Refusal } from '../refusal.ts';

/** Width and height of what is kept, in pixels. */
const edge = 256;
/** Of a jpg, which decoders shrink while they read it; and of a png, which may claim any size in a few bytes. */
const mostPixels = { jpeg: 1 << 27, png: 1 << 25 } as const;
const secondsAtMost = 10;

let last: Promise<unknown> = Promise.resolve();

/** One at a time: decoding shares its threads with the files of the archive. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const turn = last.then(work);
  last = turn.catch(() => undefined);
  return turn;
};

const isTaken = (format: string): format is keyof typeof mostPixels => Object.hasOwn(mostPixels, format);

const draw = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const picture = sharp(bytes, { limitInputPixels: mostPixels.jpeg, failOn: 'error' });
  const { format, width, height } = await picture.metadata();
  if (!isTaken(format) || width * height > mostPixels[format]) throw new Refusal('picture-not-readable');
  return picture
    .autoOrient()
    .resize(edge, edge, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .webp({ quality: 84 })
    .timeout({ seconds: secondsAtMost })
    .toBuffer();
};

/**
 * A jpg or png -> a square of 256 as webp: upright, its middle, without the places and names that cameras write into pictures.
 * @throws Refusal 'picture-not-readable'
 */
export const portraitOf = (bytes: Uint8Array): Promise<Uint8Array> =>
  inTurn(() =>
    draw(bytes).catch(() => {
      throw new Refusal('picture-not-readable');
    }),
  );
