import sharp, { type Metadata, type Sharp } from 'sharp';
import { DicomProblem } from '../../dicom/problem.ts';
import { heicToPng } from './heic.ts';
import { TIFF_TAG, tiffDirectory } from './tiff-directory.ts';

/** A picture that sharp decodes. */
export interface PictureSource {
  readonly open: () => Sharp;
  readonly metadata: Metadata;
  /** Defined term of Lossy Image Compression Method (PS3.3 C.7.6.1.1.5.1); null when the values are not lossy. */
  readonly lossyMethod: 'ISO_10918_1' | 'ISO_23008_2' | null;
}

const MAX_INPUT_PIXELS = 1 << 27;

/** Larger pictures are stored compressed: a png of some kilobytes may declare any size. */
const harmlessPixels = 1 << 25;
const maxPixelsPerByte = 100;

const unsupported = (detail: string) => new DicomProblem('picture-unsupported', detail);

const openerOf = (bytes: Uint8Array) => (): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' });

/** Reads only the header, so that a size beyond the limit is known. */
const metadataOf = (bytes: Uint8Array): Promise<Metadata> =>
  sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new DicomProblem('picture-damaged', 'the bytes are no picture that can be read');
    });

const reducedImage = 1;
const colourFilterArray = 32_803;
const tiffCompression = { none: 1, jpegOld: 6, jpeg: 7, losslessDocument: [2, 3, 4, 5, 8, 32_773, 32_946, 50_000] };

/** Camera raw files are TIFF too; their first image is often a small preview. */
const isCameraRaw = (directory: ReadonlyMap<number, number>): boolean =>
  directory.has(TIFF_TAG.dngVersion) ||
  directory.get(TIFF_TAG.photometric) === colourFilterArray ||
  ((directory.get(TIFF_TAG.newSubfileType) ?? 0) & reducedImage) !== 0;

/** @throws DicomProblem 'picture-unsupported' when a decoder would read other values than the TIFF holds, or a part of it */
const lossOfTiff = (bytes: Uint8Array, { pages = 1, depth }: Metadata): PictureSource['lossyMethod'] => {
  const directory = tiffDirectory(bytes);
  if (isCameraRaw(directory)) throw unsupported('a raw file of a camera');
  if (pages > 1) throw unsupported(`a TIFF of ${pages} pages`);
  if (depth !== 'uchar' && depth !== 'ushort') throw unsupported(`a TIFF with values of the type ${depth}`);
  const compression = directory.get(TIFF_TAG.compression) ?? tiffCompression.none;
  if (compression === tiffCompression.jpeg || compression === tiffCompression.jpegOld) return 'ISO_10918_1';
  if (compression !== tiffCompression.none && !tiffCompression.losslessDocument.includes(compression))
    throw unsupported(`a TIFF with the compression ${compression}`);
  return null;
};

/**
 * Opens a jpg, png, TIFF or HEIC.
 * @throws DicomProblem 'picture-damaged'; 'picture-unsupported' for other formats, camera raw files, several pages, values that are not
 * unsigned 8 or 16 bits, and implausible sizes
 */
export const openPicture = async (bytes: Uint8Array): Promise<PictureSource> => {
  const open = openerOf(bytes);
  const metadata = await metadataOf(bytes);
  const { format, compression, width, height } = metadata;
  const isBomb = width * height > harmlessPixels && width * height > bytes.length * maxPixelsPerByte;
  if (isBomb || width * height > MAX_INPUT_PIXELS) throw unsupported(`a picture of ${width} x ${height} is too large`);
  if (format === 'jpeg') return { open, metadata, lossyMethod: 'ISO_10918_1' };
  if (format === 'png') return { open, metadata, lossyMethod: null };
  if (format === 'tiff') return { open, metadata, lossyMethod: lossOfTiff(bytes, metadata) };
  if (format !== 'heif' || compression !== 'hevc')
    throw unsupported(`pictures of the format ${format} are not imported`);
  const png = await heicToPng(bytes, metadata.icc);
  return { open: openerOf(png), metadata: await metadataOf(png), lossyMethod: 'ISO_23008_2' };
};
