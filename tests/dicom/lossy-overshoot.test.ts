import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { decodeReduced } from '../../server/dicom/decode-reduced.ts';
import { encodeJpeg2000 } from '../../server/dicom/wasm-encoders.ts';
import { encodeSequential } from './encode-jpeg.ts';

const require = createRequire(import.meta.url);
const codecs = createCodecs();
const [rows, columns] = [128, 128];

interface Coded {
  /** Bits of the codestream, which may be more than Bits Stored. */
  readonly precision: number;
  readonly bitsStored: number;
  readonly signed: boolean;
}

/** A checkerboard over the full range of Bits Stored: the sharpest possible edges. */
const isWhite = (index: number): boolean => (((index % columns) >> 3) + (Math.floor(index / columns) >> 3)) % 2 === 1;
const rangeOf = ({ bitsStored, signed }: Coded) => {
  const low = signed ? -(2 ** (bitsStored - 1)) : 0;
  return { low, high: low + 2 ** bitsStored - 1 };
};
const squares = (coded: Coded): number[] => {
  const { low, high } = rangeOf(coded);
  return Array.from({ length: rows * columns }, (_, index) => (isWhite(index) ? high : low));
};

interface LossyEncoder {
  getDecodedBuffer(info: object): Uint8Array;
  setQuality?(lossless: boolean, quantisation: number): void;
  setCompressionRatio?(layer: number, ratio: number): void;
  setNearLossless?(difference: number): void;
  encode(): void;
  getEncodedBuffer(): Uint8Array;
}

const encodeLossy = async (codec: string, encoderName: string, coded: Coded): Promise<Uint8Array> => {
  const factory = require(`@cornerstonejs/${codec}/wasmjs`);
  const wasm = require.resolve(`@cornerstonejs/${codec}/wasm`);
  const instance = await (factory.default ?? factory)({ locateFile: () => wasm, print: () => {}, printErr: () => {} });
  const encoder: LossyEncoder = new instance[encoderName]();
  const values = (coded.signed ? Int16Array : Uint16Array).from(squares(coded));
  const { precision, signed } = coded;
  const shape = { width: columns, height: rows, componentCount: 1, isUsingColorTransform: false };
  encoder.getDecodedBuffer({ ...shape, bitsPerSample: precision, isSigned: signed }).set(new Uint8Array(values.buffer));
  encoder.setQuality?.(false, codec === 'codec-openjph' ? 0.02 : 0);
  encoder.setCompressionRatio?.(0, 20);
  encoder.setNearLossless?.(20);
  encoder.encode();
  return encoder.getEncodedBuffer().slice();
};

const encoders = {
  'JPEG 2000': (coded: Coded) => encodeLossy('codec-openjpeg', 'J2KEncoder', coded),
  HTJ2K: (coded: Coded) => encodeLossy('codec-openjph', 'HTJ2KEncoder', coded),
  'JPEG-LS': (coded: Coded) => encodeLossy('codec-charls', 'JpegLSEncoder', coded),
  JPEG: async (coded: Coded) =>
    encodeSequential({ rows, columns, components: 1, precision: coded.precision, samples: squares(coded) }, 90),
};
const syntaxes = {
  'JPEG 2000': '1.2.840.10008.1.2.4.91',
  HTJ2K: '1.2.840.10008.1.2.4.203',
  'JPEG-LS': '1.2.840.10008.1.2.4.81',
  JPEG: '1.2.840.10008.1.2.4.51',
};

const describe16 = ({ bitsStored, signed }: Coded, transferSyntax: string, frame: Uint8Array) => {
  const bytes = writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
      SOPInstanceUID: '2.25.9',
      Rows: rows,
      Columns: columns,
      SamplesPerPixel: 1,
      PhotometricInterpretation: 'MONOCHROME2',
      BitsAllocated: 16,
      BitsStored: bitsStored,
      HighBit: bitsStored - 1,
      PixelRepresentation: signed ? 1 : 0,
      PixelData: { frames: [frame] },
    },
    { transferSyntax },
  );
  const description = describeImage(readDicomFile(bytes));
  if (!description) throw new Error('the file has no image');
  return description;
};

/** Counts samples on the wrong side of the middle of the range: dark where white was drawn, or the reverse. */
const turned = (pixels: ArrayLike<number>, coded: Coded): number => {
  const { low, high } = rangeOf(coded);
  return Array.from(pixels).filter((value, index) => value > (low + high) / 2 !== isWhite(index)).length;
};

describe('lossy compression that overshoots Bits Stored', () => {
  it.each([
    ['JPEG 2000', 16, 12, false],
    ['JPEG 2000', 16, 12, true],
    ['HTJ2K', 16, 12, false],
    ['HTJ2K', 16, 12, true],
    ['HTJ2K', 12, 12, false],
    ['HTJ2K', 12, 12, true],
    ['JPEG-LS', 16, 12, false],
    ['JPEG-LS', 12, 10, false],
    ['JPEG', 12, 10, false],
  ] as const)('%s of %i bits, %i stored, signed %s: white stays white and black stays black', async (...row) => {
    const [name, precision, bitsStored, signed] = row;
    const coded = { precision, bitsStored, signed };
    const frame = await encoders[name](coded);
    const description = describe16(coded, syntaxes[name], frame);
    const decoded = await decodeFrame(description, frame, codecs);
    expect(turned(decoded.pixels, coded)).toBe(0);
    const { low, high } = rangeOf(coded);
    expect(Math.max(...decoded.pixels)).toBeLessThanOrEqual(high);
    expect(Math.min(...decoded.pixels)).toBeGreaterThanOrEqual(low);
    const reduced = await decodeReduced(description, frame, 64, codecs);
    if (reduced) expect(Math.max(...reduced.pixels)).toBeLessThanOrEqual(high);
  });
});

describe('a lossless codestream', () => {
  it('masks bits beyond Bits Stored, such as old overlays', async () => {
    const overlay = squares({ precision: 16, bitsStored: 12, signed: false }).map(
      (value, index) => value | ((index % 3) << 12),
    );
    const info = { width: columns, height: rows, componentCount: 1, bitsPerSample: 16, isSigned: false };
    const frame = await encodeJpeg2000(new Uint8Array(Uint16Array.from(overlay).buffer), {
      ...info,
      isUsingColorTransform: false,
    });
    const coded = { precision: 16, bitsStored: 12, signed: false };
    const decoded = await decodeFrame(describe16(coded, '1.2.840.10008.1.2.4.90', frame), frame, codecs);
    expect(Array.from(decoded.pixels)).toEqual(squares(coded));
  });
});
