import {
  type CornerstoneFrame,
  decodeImageFrame,
} from '@cornerstonejs/dicom-image-loader/dist/esm/decodeImageFrameWorker.js';
import type { Codec, Codecs, DecodedCodestream } from '../../../dicom/codecs.ts';
import { decodeHtj2k } from './htj2k.ts';

/** Properties that Cornerstone's decoders add to the frame. */
interface DecodedByCornerstone extends CornerstoneFrame {
  readonly bitsPerPixel?: number;
  readonly componentsPerPixel?: number;
}

/** Unsigned 16-bit greyscale: the codestream overrides this, and `dicom/` takes the sign from the header. */
const anyFrame = (): CornerstoneFrame => ({
  samplesPerPixel: 1,
  photometricInterpretation: 'MONOCHROME2',
  planarConfiguration: 0,
  rows: 0,
  columns: 0,
  bitsAllocated: 16,
  bitsStored: 16,
  highBit: 15,
  pixelRepresentation: 0,
});

/** Converts the array, since Cornerstone returns the narrowest type for the values; here the type follows from the precision. */
const bytesOf = (values: ArrayLike<number>, precision: number): Uint8Array =>
  precision > 8 ? new Uint8Array(Uint16Array.from(values).buffer) : Uint8Array.from(values);

/** A codec whose decoder reports size and precision of the image. */
const selfDescribed =
  (transferSyntaxUid: string): Codec =>
  async (codestream): Promise<DecodedCodestream> => {
    const options = { preScale: { enabled: false } } as const;
    const decoded: DecodedByCornerstone = await decodeImageFrame(
      anyFrame(),
      transferSyntaxUid,
      codestream,
      {},
      options,
    );
    if (!decoded.pixelData) throw new Error('The decoder returned no pixels');
    const precision = decoded.bitsPerPixel ?? 8;
    return {
      rows: decoded.rows,
      columns: decoded.columns,
      components: decoded.componentsPerPixel ?? 1,
      precision,
      bytes: bytesOf(decoded.pixelData, precision),
    };
  };

/** Cornerstone's WebAssembly decoders behind the interface of `dicom/`. HTJ2K, the archive's own format, uses OpenJPH directly. */
export const cornerstoneCodecs: Codecs = {
  jpegBaseline: selfDescribed('1.2.840.10008.1.2.4.50'),
  jpegLs: selfDescribed('1.2.840.10008.1.2.4.80'),
  jpeg2000: selfDescribed('1.2.840.10008.1.2.4.90'),
  htj2k: decodeHtj2k,
  jpegXl: selfDescribed('1.2.840.10008.1.2.4.110'),
};
