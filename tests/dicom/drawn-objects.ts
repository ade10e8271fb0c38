import { encodeRle } from '../../demo/rle.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { TRANSFER_SYNTAX } from '../../dicom/write/transfer-syntax.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import type { OpenedFile } from '../../server/dicom/opened-file.ts';
import { encodeHtj2k, encodeJpeg2000, encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { encodeLossless } from './encode-jpeg.ts';

/** The picture of a file; null when it has none. */
export const open = (bytes: Uint8Array): OpenedFile | null => {
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  return description && { file, description };
};

export const rows = 420;
export const columns = 640;
export const count = rows * columns;

/** Teeth of a kind: broad shades, bright bodies with sharp edges, fine noise; 0 to 1, darker at the left. */
export const drawn = (() => {
  let state = 7;
  return Float64Array.from({ length: count }, (_, at) => {
    const [x, y] = [(at % columns) / columns, Math.floor(at / columns) / rows];
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const body = Math.hypot(((x * 4) % 1) - 0.5, y - 0.5) < 0.3 ? 0.35 : 0;
    const filling = Math.abs(x - 0.62) < 0.04 && Math.abs(y - 0.4) < 0.08 ? 0.3 : 0;
    return Math.min(1, 0.1 + 0.35 * x + 0.1 * Math.sin(y * 9) ** 2 + body + filling + (state / 2 ** 32) * 0.03);
  });
})();

export interface Grey {
  readonly bits: number;
  readonly signed?: boolean;
  readonly photometric?: string;
  readonly more?: DataSet;
}

export const valuesOf = ({ bits, signed }: Grey) => {
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const values = Array.from(drawn, (value) => Math.round(low + value * (2 ** bits - 1)));
  if (bits <= 8) return Uint8Array.from(values);
  return signed ? Int16Array.from(values) : Uint16Array.from(values);
};

export const objectOf = (more: DataSet, transferSyntax: string): OpenedFile => {
  const bytes = writeDicom(
    { SOPClassUID: '1.2.840.10008.5.1.4.1.1.7', SOPInstanceUID: '2.25.9', Rows: rows, Columns: columns, ...more },
    { transferSyntax },
  );
  const opened = open(bytes);
  if (!opened) throw new Error('no picture');
  return opened;
};

export const infoOf = ({ bits, signed = false }: Grey, componentCount = 1) => ({
  width: columns,
  height: rows,
  bitsPerSample: bits,
  componentCount,
  isSigned: signed,
  isUsingColorTransform: componentCount === 3,
});

export const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array | Int16Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

export const syntaxes = {
  native: TRANSFER_SYNTAX.explicitLittle,
  rle: TRANSFER_SYNTAX.rle,
  'jpeg-ls': TRANSFER_SYNTAX.jpegLsLossless,
  'jpeg-lossless': '1.2.840.10008.1.2.4.70',
  'jpeg-2000': TRANSFER_SYNTAX.jpeg2000Lossless,
  htj2k: TRANSFER_SYNTAX.htj2kLossless,
} as const;
export type Syntax = keyof typeof syntaxes;

const packed = async (syntax: Syntax, grey: Grey): Promise<NonNullable<DataSet['PixelData']>> => {
  const values = valuesOf(grey);
  const bytes = bytesOf(values);
  if (syntax === 'native') return values;
  if (syntax === 'rle') return { frames: [encodeRle(bytes, columns, grey.bits > 8 ? 2 : 1)] };
  if (syntax === 'jpeg-lossless') {
    const samples = grey.bits > 8 ? new Uint16Array(values.buffer) : values;
    return { frames: [encodeLossless({ rows, columns, components: 1, precision: grey.bits, samples }, 1)] };
  }
  const encode = { 'jpeg-ls': encodeJpegLs, 'jpeg-2000': encodeJpeg2000, htj2k: encodeHtj2k }[syntax];
  return { frames: [await encode(bytes, infoOf(grey))] };
};

export const greyObject = async (syntax: Syntax, grey: Grey): Promise<OpenedFile> =>
  objectOf(
    {
      SamplesPerPixel: 1,
      PhotometricInterpretation: grey.photometric ?? 'MONOCHROME2',
      BitsAllocated: grey.bits > 8 ? 16 : 8,
      BitsStored: grey.bits,
      HighBit: grey.bits - 1,
      PixelRepresentation: grey.signed ? 1 : 0,
      PixelData: await packed(syntax, grey),
      ...grey.more,
    },
    syntaxes[syntax],
  );
