import sharp from 'sharp';
import type { Codecs } from '../../dicom/codecs.ts';
import { isColour, renderRgba } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { defaultDisplay, renderGrey } from '../../dicom/grey.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { DecodedFrame, ImageDescription } from '../../dicom/image-model.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { readWholeFile } from './whole-file.ts';

export interface ThumbnailOptions {
  /** Longest edge in pixels; smaller pictures are not enlarged. */
  readonly maxEdge: number;
  /** Counted from 0. */
  readonly frame?: number;
  readonly format?: 'jpeg' | 'webp';
}

export interface Thumbnail {
  readonly bytes: Uint8Array;
  readonly mediaType: 'image/jpeg' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** Height to width of a pixel as shown, kept within reason. */
const pixelShape = ({ pixelAspectRatio, spacing }: ImageDescription): number => {
  const ratio = pixelAspectRatio
    ? pixelAspectRatio.vertical / pixelAspectRatio.horizontal
    : spacing
      ? spacing.rowMm / spacing.columnMm
      : 1;
  return Math.min(16, Math.max(1 / 16, ratio));
};

const sizeWithin = (description: ImageDescription, maxEdge: number): { width: number; height: number } => {
  const height = description.rows * Math.max(1, pixelShape(description));
  const width = description.columns / Math.min(1, pixelShape(description));
  const scale = Math.min(1, maxEdge / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

const rendered = (description: ImageDescription, frame: DecodedFrame, index: number) =>
  isColour(description)
    ? { pixels: renderRgba(description, frame, index), channels: 4 as const }
    : { pixels: renderGrey(frame, defaultDisplay(description, index, frame.pixels)), channels: 1 as const };

/**
 * A small picture of one frame as the header wants it shown.
 * @throws DicomProblem 'no-pixel-data' for objects without pictures, and whatever reading and decoding throw
 */
export const makeThumbnail = async (
  path: string,
  { maxEdge, frame = 0, format = 'jpeg' }: ThumbnailOptions,
  maxFileBytes: number,
  codecs: Codecs,
): Promise<Thumbnail> => {
  const file = readDicomFile(await readWholeFile(path, maxFileBytes));
  const description = describeImage(file);
  if (!description) throw new DicomProblem('no-pixel-data', 'the object has no pixel data');
  const decoded = await decodeFrame(description, encodedFrame(file, description, frame), codecs);
  const { pixels, channels } = rendered(description, decoded, frame);
  const raw = { width: description.columns, height: description.rows, channels };
  const size = sizeWithin(description, maxEdge);
  const picture = sharp(pixels, { raw, limitInputPixels: false })
    .resize({ ...size, fit: 'fill' })
    .flatten();
  const encoded = format === 'webp' ? picture.webp({ quality: 80 }) : picture.jpeg({ quality: 82 });
  const bytes = await encoded.toBuffer();
  return { bytes: new Uint8Array(bytes), mediaType: format === 'webp' ? 'image/webp' : 'image/jpeg', ...size };
};
