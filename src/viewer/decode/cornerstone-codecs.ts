import {
  type CornerstoneFrame,
  decodeImageFrame,
} from '@cornerstonejs/dicom-image-loader/dist/esm/decodeImageFrameWorker.js';
import type { Codec, CodecPicture, Codecs } from '../../../dicom/codecs.ts';
import { decodeHtj2k } from './htj2k.ts';

/** What Cornerstone's decoders add to the frame that they were given. */
interface DecodedByCornerstone extends CornerstoneFrame {
  readonly bitsPerPixel?: number;
  readonly componentsPerPixel?: number;
}

/** Grey, unsigned, sixteen bits: the codestream knows better, and `dicom/` reads the signs from the header. */
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

/** Cornerstone hands over the narrowest array that the values fit in; here the width follows from the precision. */
const bytesOf = (values: ArrayLike<number>, precision: number): Uint8Array =>
  precision > 8 ? new Uint8Array(Uint16Array.from(values).buffer) : Uint8Array.from(values);

/** A codec whose decoder tells the size and precision of what it found. */
const selfDescribed =
  (transferSyntaxUid: string): Codec =>
  async (codestream): Promise<CodecPicture> => {
    const options = { preScale: { enabled: false } } as const;
    const decoded: DecodedByCornerstone = await decodeImageFrame(
      anyFrame(),
      transferSyntaxUid,
      codestream,
      {},
      options,
    );
    if (!decoded.pixelData) throw new Error('the decoder gave no pixels');
    const precision = decoded.bitsPerPixel ?? 8;
    return {
      rows: decoded.rows,
      columns: decoded.columns,
      components: decoded.componentsPerPixel ?? 1,
      precision,
      bytes: bytesOf(decoded.pixelData, precision),
    };
  };

/** Cornerstone's WebAssembly decoders as `dicom/` asks for them. HTJ2K, in which the archive packs, goes a shorter way. */
export const cornerstoneCodecs: Codecs = {
  jpegBaseline: selfDescribed('1.2.840.10008.1.2.4.50'),
  jpegLs: selfDescribed('1.2.840.10008.1.2.4.80'),
  jpeg2000: selfDescribed('1.2.840.10008.1.2.4.90'),
  htj2k: decodeHtj2k,
};
