import sharp from 'sharp';
import type { Codecs } from '../../dicom/codecs.ts';
import { isColour, renderRgba } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { defaultDisplay, isInverted, modalityOf, renderGrey } from '../../dicom/grey.ts';
import type { DecodedFrame, DisplaySettings, ImageDescription, WindowFunction } from '../../dicom/image-model.ts';
import { codedValues } from '../../dicom/stored-values.ts';
import { type Annotation, annotationSvg } from './annotation.ts';
import { frameInSrgb, srgbConversion } from './colour-profile.ts';
import { frameOf } from './make-rendition.ts';
import type { OpenedFile } from './opened-file.ts';
import { shownSize } from './thumbnail.ts';

/** A rectangle of the image in its pixels. */
export interface SourceRegion {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface RenderedOptions {
  /** Frame index, from 0. */
  readonly frame: number;
  readonly format: 'jpeg' | 'png';
  /** Of a JPEG, 1 to 100. */
  readonly quality: number;
  /** Of grey images, in modality values; null: that of the header. */
  readonly window: { readonly centre: number; readonly width: number; readonly function: WindowFunction } | null;
  /** The picture fits inside; null: the size of the image. */
  readonly viewport: { readonly width: number; readonly height: number; readonly source: SourceRegion | null } | null;
  /** Texts in the picture; null: none. */
  readonly annotation: Annotation | null;
}

const displayOf = (
  description: ImageDescription,
  frame: DecodedFrame,
  window: RenderedOptions['window'],
): DisplaySettings =>
  window
    ? {
        modality: modalityOf(description, 0),
        voi: { kind: 'window', ...window, explanation: null },
        inverted: isInverted(description),
      }
    : defaultDisplay(description, 0, codedValues(frame));

/** Returns the part of the source region that is in the image. */
const regionIn = ({ rows, columns }: ImageDescription, source: SourceRegion): SourceRegion => {
  const left = Math.min(columns - 1, Math.floor(source.left));
  const top = Math.min(rows - 1, Math.floor(source.top));
  const width = Math.max(1, Math.min(columns - left, Math.round(source.width)));
  return { left, top, width, height: Math.max(1, Math.min(rows - top, Math.round(source.height))) };
};

/** Returns the size of a region with square pixels, inside the viewport. */
const sizeOf = (description: ImageDescription, region: SourceRegion, viewport: RenderedOptions['viewport']) => {
  const whole = shownSize(description);
  const width = (region.width * whole.width) / description.columns;
  const height = (region.height * whole.height) / description.rows;
  const scale = viewport ? Math.min(viewport.width / width, viewport.height / height) : 1;
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

/** Draws one frame in full resolution. @throws DicomProblem as decoding does */
export const renderFrame = async (
  opened: OpenedFile,
  { frame, format, quality, window, viewport, annotation }: RenderedOptions,
  codecs: Codecs,
): Promise<Uint8Array> => {
  const { description, codestream } = frameOf(opened, frame);
  const { rows, columns } = description;
  const decoded = await decodeFrame(description, codestream, codecs);
  const colour = isColour(description);
  const pixels = colour
    ? renderRgba(description, await frameInSrgb(decoded, await srgbConversion(opened)), 0)
    : renderGrey(decoded, displayOf(description, decoded, window));
  const region = regionIn(description, viewport?.source ?? { left: 0, top: 0, width: columns, height: rows });
  const raw = { width: columns, height: rows, channels: colour ? 4 : 1 } as const;
  const size = sizeOf(description, region, viewport);
  const plain = sharp(pixels, { raw, limitInputPixels: false })
    .extract(region)
    .resize({ ...size, fit: 'fill' })
    .flatten();
  const picture = annotation
    ? plain.composite([{ input: annotationSvg(opened.file, annotation, size) }]).removeAlpha()
    : plain;
  // sharp turns one channel into three otherwise.
  const coloured = colour ? picture : picture.toColourspace('b-w');
  const bytes = await (format === 'png' ? coloured.png() : coloured.jpeg({ quality })).toBuffer();
  return new Uint8Array(bytes);
};
