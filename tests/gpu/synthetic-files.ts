import { packPixels } from '../../demo/encode.ts';
import type { DemoPacking } from '../../demo/recipe.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { uidFrom } from '../../dicom/write/uid.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';

export const greyPackings = [
  'explicit-le',
  'implicit-le',
  'explicit-be',
  'deflated',
  'rle',
  'jpeg-ls',
  'jpeg-2000',
  'htj2k',
] as const satisfies readonly DemoPacking[];

const rows = 37;
const columns = 53;
const centre = 1800;
const width = 2600;

/** A pattern with both ends of 12 bits, ramps and edges. */
const values = () =>
  Uint16Array.from({ length: rows * columns }, (_, index) => {
    const column = index % columns;
    const row = Math.floor(index / columns);
    return (column * 77 + row * 113 + (row % 5 === 0 ? 2000 : 0)) % 4096;
  });

/** DICOM PS3.3 C.11.2.1.2.1, and black and white changed for MONOCHROME1. */
const shown = (value: number, inverted: boolean) => {
  const grey = Math.min(1, Math.max(0, (value - (centre - 0.5)) / (width - 1) + 0.5));
  return Math.round((inverted ? 1 - grey : grey) * 255);
};

/** A 12-bit grey file of each packing, and the 8-bit picture that it must give. */
export const greyFile = async (packing: (typeof greyPackings)[number], photometric: 'MONOCHROME1' | 'MONOCHROME2') => {
  const pixels = values();
  const packed = await packPixels({ kind: 'grey', columns, rows, pixels, bitsStored: 12 }, packing);
  const dataSet: DataSet = {
    SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
    SOPInstanceUID: uidFrom(`synthetic/${packing}`),
    SamplesPerPixel: 1,
    PhotometricInterpretation: photometric,
    Rows: rows,
    Columns: columns,
    BitsAllocated: 16,
    BitsStored: 12,
    HighBit: 11,
    PixelRepresentation: 0,
    WindowCenter: centre,
    WindowWidth: width,
    PixelData: packed.pixelData,
  };
  const file = writeDicom(dataSet, { transferSyntax: packed.transferSyntax });
  const expected = Uint8Array.from(pixels, (value) => shown(value, photometric === 'MONOCHROME1'));
  return { file, expected };
};

/** A colour file, uncompressed, and its own pixels. */
export const colourFile = async () => {
  const pixels = Uint8Array.from({ length: rows * columns * 3 }, (_, index) => (index * 31) % 256);
  const packed = await packPixels({ kind: 'colour', columns, rows, pixels }, 'explicit-le');
  const dataSet: DataSet = {
    SOPClassUID: '1.2.840.10008.5.1.4.1.1.77.1.4',
    SOPInstanceUID: uidFrom('synthetic/colour'),
    SamplesPerPixel: 3,
    PhotometricInterpretation: 'RGB',
    PlanarConfiguration: 0,
    Rows: rows,
    Columns: columns,
    BitsAllocated: 8,
    BitsStored: 8,
    HighBit: 7,
    PixelRepresentation: 0,
    PixelData: packed.pixelData,
  };
  return { file: writeDicom(dataSet, { transferSyntax: packed.transferSyntax }), expected: pixels };
};
