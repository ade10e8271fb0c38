import sharp from 'sharp';
import { fullWindow, renderGrey } from '../../dicom/grey.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { openPicture } from './picture-source.ts';
import type { Thumbnail, ThumbnailOptions } from './thumbnail.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

const identity = { kind: 'rescale', slope: 1, intercept: 0 } as const;

/** Returns channel 0 when all channels are equal everywhere: such a picture becomes a grey object. */
const greyOf = (pixels: Uint8Array | Uint16Array, channels: number): Uint8Array | Uint16Array | null => {
  const grey = pixels.filter((_, index) => index % channels === 0);
  return pixels.every((value, index) => value === grey[Math.floor(index / channels)]) ? grey : null;
};

/**
 * Makes the thumbnail of a picture, upright and as its DICOM object will be displayed: colour unchanged, grey stretched from black to
 * white.
 * @throws DicomProblem as `openPicture`, 'too-large'; StorageError 'damaged'
 */
export const pictureThumbnail = async (
  file: FileToRead,
  { maxEdge }: ThumbnailOptions,
  maxFileBytes: number,
): Promise<Thumbnail> => {
  const bytes = await readWholeFile(file, maxFileBytes);
  const { open, metadata } = await openPicture(bytes);
  const { space, depth } = metadata;
  try {
    const wide = space === 'grey16' && depth === 'ushort';
    const small = open()
      .autoOrient()
      .resize({ width: maxEdge, height: maxEdge, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#000000' })
      .toColourspace(wide ? 'grey16' : 'srgb');
    const { data, info } = await small.raw({ depth: wide ? 'ushort' : 'uchar' }).toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const own = new Uint8Array(data);
    const pixels = wide ? new Uint16Array(own.buffer) : own;
    const grey = greyOf(pixels, channels);
    const frame = grey && { rows: height, columns: width, samples: 1 as const, bits: wide ? 16 : 8, pixels: grey };
    const shown = frame
      ? renderGrey(frame, { modality: identity, voi: fullWindow(identity, frame.pixels), inverted: false })
      : own;
    const raw = { width, height, channels: frame ? (1 as const) : (3 as const) };
    const jpeg = await sharp(shown, { raw }).jpeg({ quality: 82 }).toBuffer();
    return { bytes: new Uint8Array(jpeg), mediaType: 'image/jpeg', width, height };
  } catch {
    throw new DicomProblem('picture-damaged', 'the picture is damaged');
  }
};
