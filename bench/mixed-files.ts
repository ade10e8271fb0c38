import sharp from 'sharp';
import { packPixels } from '../demo/encode.ts';
import { drawRaster } from '../demo/phantom/draw-raster.ts';
import type { DemoPacking } from '../demo/recipe.ts';
import type { DataSet } from '../dicom/write/data-set.ts';
import { uidFrom } from '../dicom/write/uid.ts';
import { writeDicom } from '../dicom/write/write-dicom.ts';
import { encodeLosslessJpeg } from './lossless-jpeg.ts';

export interface MixedFile {
  readonly syntax: string;
  readonly transferSyntaxUid: string;
  /** A file of this syntax; another number gives another object of the same picture. */
  readonly bytesOf: (number: number) => Uint8Array;
}

const columns = 2000;
const rows = 1250;

interface Packed {
  readonly syntax: string;
  readonly transferSyntax: string;
  readonly pixelData: NonNullable<DataSet['PixelData']>;
  readonly bits: 8 | 16;
}

const fileOf = ({ syntax, transferSyntax, pixelData, bits }: Packed, number: number): Uint8Array =>
  writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.1.1',
      SOPInstanceUID: uidFrom(`bench/thumbnails/${syntax}/${number}`),
      StudyInstanceUID: uidFrom('bench/thumbnails/study'),
      SeriesInstanceUID: uidFrom(`bench/thumbnails/${syntax}`),
      StudyDate: '20260312',
      Modality: 'PX',
      InstanceNumber: number,
      SamplesPerPixel: 1,
      PhotometricInterpretation: 'MONOCHROME2',
      Rows: rows,
      Columns: columns,
      BitsAllocated: bits,
      BitsStored: bits,
      HighBit: bits - 1,
      PixelRepresentation: 0,
      WindowCenter: 2 ** (bits - 1),
      WindowWidth: 2 ** bits * 0.8,
      RescaleIntercept: 0,
      RescaleSlope: 1,
      PixelData: pixelData,
    },
    { transferSyntax },
  );

/** One drawn radiograph of 2000 x 1250 pixels of 16 bits (8 for JPEG baseline) in every syntax that clinics send. */
export const mixedFiles = async (): Promise<readonly MixedFile[]> => {
  const recipe = { kind: 'panoramic', bitsStored: 16, seed: 5, mouth: 7, age: 44, columns, rows } as const;
  const raster = drawRaster({ ...recipe, packing: 'explicit-le' });
  if (raster.kind !== 'grey' || !(raster.pixels instanceof Uint16Array)) throw new Error('the phantom is greyscale');
  const { pixels } = raster;
  const packings: readonly DemoPacking[] = ['explicit-le', 'rle', 'jpeg-ls', 'jpeg-2000', 'htj2k'];
  const packed: Packed[] = [];
  for (const syntax of packings) packed.push({ syntax, bits: 16, ...(await packPixels(raster, syntax)) });
  for (const [syntax, transferSyntax, predictor] of [
    ['jpeg-lossless .57', '1.2.840.10008.1.2.4.57', 7],
    ['jpeg-lossless .70', '1.2.840.10008.1.2.4.70', 1],
  ] as const) {
    const frames = [encodeLosslessJpeg(pixels, columns, rows, predictor)];
    packed.push({ syntax, bits: 16, transferSyntax, pixelData: { frames } });
  }
  const grey = Uint8Array.from(pixels, (value) => value >> 8);
  const jpeg = await sharp(grey, { raw: { width: columns, height: rows, channels: 1 } })
    .toColourspace('b-w')
    .jpeg({ quality: 90 })
    .toBuffer();
  const baseline = { transferSyntax: '1.2.840.10008.1.2.4.50', pixelData: { frames: [new Uint8Array(jpeg)] } };
  packed.push({ syntax: 'jpeg-baseline', bits: 8, ...baseline });
  return packed.map((each) => ({
    syntax: each.syntax,
    transferSyntaxUid: each.transferSyntax,
    bytesOf: (number) => fileOf(each, number),
  }));
};
