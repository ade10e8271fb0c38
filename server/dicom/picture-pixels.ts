import type { Sharp } from 'sharp';
import { isFrameMarker, nextSegment, readJpegHeader } from '../../dicom/jpeg/header.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { isSrgb } from './colour-profile.ts';
import { openPicture, type PictureSource } from './picture-source.ts';

type LossyMethod = PictureSource['lossyMethod'];

/** Upright pixels of a picture in a form that a DICOM object can hold. */
export type PicturePixels =
  | {
      readonly kind: 'grey';
      readonly bits: 8 | 16;
      readonly rows: number;
      readonly columns: number;
      readonly pixels: Uint8Array | Uint16Array;
      readonly lossyMethod: LossyMethod;
    }
  | {
      readonly kind: 'rgb';
      readonly rows: number;
      readonly columns: number;
      readonly pixels: Uint8Array;
      readonly lossyMethod: LossyMethod;
    }
  /** A baseline JPEG that is stored unchanged: no second lossy compression and no growth. */
  | {
      readonly kind: 'jpeg';
      readonly rows: number;
      readonly columns: number;
      readonly codestream: Uint8Array;
      /** ICC profile of its colours; null for sRGB. */
      readonly profile: Uint8Array | null;
    };

const damaged = (detail: string) => new DicomProblem('picture-damaged', detail);

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Returns channel 0 when all three are equal everywhere: radiographs are often saved as RGB. */
const greyOfRgb = (rgb: Uint8Array): Uint8Array | null => {
  const grey = new Uint8Array(rgb.length / 3);
  for (let index = 0; index < grey.length; index++) {
    const value = rgb[index * 3] ?? 0;
    if (rgb[index * 3 + 1] !== value || rgb[index * 3 + 2] !== value) return null;
    grey[index] = value;
  }
  return grey;
};

/** Returns the JPEG without application segments except JFIF and Adobe: Exif can hold locations, names and a second picture. */
const withoutMetadata = (bytes: Uint8Array): Uint8Array => {
  const segments: Uint8Array[] = [Uint8Array.of(0xff, 0xd8)];
  let segment = nextSegment(bytes, 2);
  for (; segment && segment.marker !== 0xda; segment = nextSegment(bytes, segment.end)) {
    const { marker, body, end } = segment;
    const metadata = marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xee);
    if (!metadata) segments.push(bytes.subarray(end - body.length - 4, end));
  }
  if (!segment) throw damaged('the JPEG has no scan');
  segments.push(bytes.subarray(segment.end - segment.body.length - 4));
  const out = new Uint8Array(segments.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of segments) {
    out.set(part, place);
    place += part.length;
  }
  return out;
};

/** Returns whether DICOM decoders read a JPEG as YBR_FULL_422: baseline, three components, not RGB already. */
const isKeepable = (bytes: Uint8Array): boolean => {
  const { frame, adobeTransform } = readJpegHeader(bytes);
  const isBaseline = isFrameMarker(frame.process) && frame.process === 0xc0 && frame.precision === 8;
  return isBaseline && frame.components.length === 3 && adobeTransform !== 0;
};

/**
 * Reads a jpg, png, TIFF or HEIC. Applies the orientation and blends transparency onto black; 16-bit grey stays 16 bits.
 * @throws DicomProblem as `openPicture`
 */
export const readPicture = async (bytes: Uint8Array): Promise<PicturePixels> => {
  const { open, metadata, lossyMethod } = await openPicture(bytes);
  const { format, space, depth, orientation = 1, icc } = metadata;
  const upright = open().autoOrient().flatten({ background: '#000000' });
  const read = async (picture: Sharp, wide: boolean) =>
    await picture
      .raw({ depth: wide ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw damaged('the picture is damaged');
      });
  if (space === 'b-w' || space === 'grey16') {
    const wide = depth === 'ushort';
    const { data, info } = await read(upright.toColourspace(wide ? 'grey16' : 'b-w').extractChannel(0), wide);
    const pixels = wide ? new Uint16Array(new Uint8Array(data).buffer) : viewOf(data);
    return { kind: 'grey', bits: wide ? 16 : 8, rows: info.height, columns: info.width, pixels, lossyMethod };
  }
  const { data, info } = await read(upright.toColourspace('srgb'), false);
  const rgb = viewOf(data);
  const size = { rows: info.height, columns: info.width };
  const grey = greyOfRgb(rgb);
  if (grey) return { kind: 'grey', bits: 8, ...size, pixels: grey, lossyMethod };
  if (format === 'jpeg' && orientation === 1 && space === 'srgb' && isKeepable(bytes)) {
    const profile = icc && !(await isSrgb(icc)) ? icc : null;
    return { kind: 'jpeg', ...size, codestream: withoutMetadata(bytes), profile };
  }
  return { kind: 'rgb', ...size, pixels: rgb, lossyMethod };
};
