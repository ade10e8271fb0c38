import sharp from 'sharp';
import type { ImageDescription } from '../../dicom/image-model.ts';
import type { ReducingCodecs } from './codecs.ts';
import { srgbConversion } from './colour-profile.ts';
import { frameOf } from './make-rendition.ts';
import type { OpenedFile } from './opened-file.ts';
import { renderReduced } from './render-reduced.ts';

export interface ThumbnailOptions {
  /** Longest edge in pixels; smaller pictures are not enlarged. */
  readonly maxEdge: number;
  /** Frame index, from 0. */
  readonly frame?: number;
  readonly format?: 'jpeg' | 'webp';
}

export interface Thumbnail {
  readonly bytes: Uint8Array;
  readonly mediaType: 'image/jpeg' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** Displayed aspect ratio of a pixel, height to width, within plausible bounds. */
const pixelShape = ({ pixelAspectRatio, spacing }: ImageDescription): number => {
  const ratio = pixelAspectRatio
    ? pixelAspectRatio.vertical / pixelAspectRatio.horizontal
    : spacing
      ? spacing.rowMm / spacing.columnMm
      : 1;
  return Math.min(16, Math.max(1 / 16, ratio));
};

/** Returns the size of the whole picture with square pixels. */
export const shownSize = (description: ImageDescription): { width: number; height: number } => ({
  height: description.rows * Math.max(1, pixelShape(description)),
  width: description.columns / Math.min(1, pixelShape(description)),
});

const sizeWithin = (description: ImageDescription, maxEdge: number): { width: number; height: number } => {
  const { width, height } = shownSize(description);
  const scale = Math.min(1, maxEdge / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

/**
 * Makes the thumbnail of one frame as the header specifies.
 * @throws DicomProblem as decoding does
 */
export const makeThumbnail = async (
  opened: OpenedFile,
  { maxEdge, frame = 0, format = 'jpeg' }: ThumbnailOptions,
  codecs: ReducingCodecs,
): Promise<Thumbnail> => {
  const { description, codestream } = frameOf(opened, frame);
  const size = sizeWithin(description, maxEdge);
  const { pixels, ...raw } = await renderReduced(description, codestream, size, codecs);
  const conversion = await srgbConversion(opened);
  const shown = conversion && pixels instanceof Uint8Array ? await conversion({ pixels, ...raw }) : pixels;
  const picture = sharp(shown, { raw, limitInputPixels: false })
    .resize({ ...size, fit: 'fill' })
    .flatten();
  const encoded = format === 'webp' ? picture.webp({ quality: 80 }) : picture.jpeg({ quality: 82 });
  const bytes = await encoded.toBuffer();
  return { bytes: new Uint8Array(bytes), mediaType: format === 'webp' ? 'image/webp' : 'image/jpeg', ...size };
};
