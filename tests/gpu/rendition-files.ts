import { isColour } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { makeRendition } from '../../server/dicom/make-rendition.ts';
import { encodeJpeg2000, encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { encodeJpegXl } from '../dicom/encode-jpeg-xl.ts';
import { meansOfBlocks } from '../dicom/means-of-blocks.ts';

const codecs = createCodecs();

export interface TestImage {
  readonly rows: number;
  readonly columns: number;
  /** Bits stored. */
  readonly bits: number;
  readonly signed?: boolean;
  readonly colour?: boolean;
  readonly encoding: 'jpeg-2000' | 'jpeg-ls' | 'jpeg-xl' | 'native';
  /** Further attributes of the data set. */
  readonly attributes?: DataSet;
}

/** Writes a DICOM file whose values reach both ends of their range. */
export const dicomFileOf = async ({
  rows,
  columns,
  bits,
  signed = false,
  colour = false,
  encoding,
  attributes,
}: TestImage) => {
  const samples = colour ? 3 : 1;
  const lowest = signed ? -(2 ** (bits - 1)) : 0;
  const values = new (signed ? Int16Array : bits > 8 ? Uint16Array : Uint8Array)(rows * columns * samples);
  for (let at = 0; at < values.length; at++) {
    values[at] = lowest + ((Math.round((Math.sin(at / 997) + 1) * 2 ** (bits - 1)) + at * 7) % 2 ** bits);
  }
  const bytes = new Uint8Array(values.buffer);
  const info = { width: columns, height: rows, bitsPerSample: bits, componentCount: samples, isSigned: signed };
  const encoders = { 'jpeg-2000': encodeJpeg2000, 'jpeg-ls': encodeJpegLs, 'jpeg-xl': encodeJpegXl };
  const nativePixels = bits > 8 ? new Uint16Array(values.buffer) : bytes;
  return writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
      SOPInstanceUID: '1.2.3.4',
      SamplesPerPixel: samples,
      PhotometricInterpretation: colour ? 'RGB' : 'MONOCHROME1',
      ...(colour ? { PlanarConfiguration: 0 } : {}),
      Rows: rows,
      Columns: columns,
      BitsAllocated: bits > 8 ? 16 : 8,
      BitsStored: bits,
      HighBit: bits - 1,
      PixelRepresentation: signed ? 1 : 0,
      ...attributes,
      PixelData:
        encoding === 'native'
          ? nativePixels
          : { frames: [await encoders[encoding](bytes, { ...info, isUsingColorTransform: false })] },
    },
    {
      transferSyntax: {
        native: '1.2.840.10008.1.2.1',
        'jpeg-2000': '1.2.840.10008.1.2.4.90',
        'jpeg-ls': '1.2.840.10008.1.2.4.80',
        'jpeg-xl': '1.2.840.10008.1.2.4.110',
      }[encoding],
    },
  );
};

/** Returns both renditions, and the values that the reduced one must have (float64). */
export const renditionsOf = async (bytes: Uint8Array) => {
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (!description) throw new Error('the file has no image');
  const renditionAt = (level: 'full' | 'reduced') =>
    makeRendition({ file, description }, { frame: 0, level, skipConversion: false }, codecs).then(
      (answer) => answer.bytes,
    );
  const direct = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
  const reduced = await renditionAt('reduced');
  const padding = isColour(description) ? null : description.padding;
  const means = meansOfBlocks(direct, readRendition(reduced).reduction, padding).pixels;
  return { full: await renditionAt('full'), reduced, means: new Uint8Array(means.buffer) };
};
