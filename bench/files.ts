import { uidFrom } from '../dicom/write/uid.ts';
import { writeDicom } from '../dicom/write/write-dicom.ts';

/** Creates a 16-bit greyscale picture like a radiograph: broad shapes, fine structure, noise. The same for the same seed. */
const pixelsOf = (columns: number, rows: number, seed: number): Uint16Array => {
  let state = seed + 1;
  return Uint16Array.from({ length: columns * rows }, (_, at) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const x = (at % columns) / columns;
    const y = Math.floor(at / columns) / rows;
    const broad = 16_000 * (1 + Math.sin(6 * x + seed)) + 9_000 * Math.cos(9 * y * (1 + x));
    return Math.min(65_535, Math.max(0, broad + 2_000 * Math.sin(300 * x) * Math.sin(200 * y) + (state >>> 22)));
  });
};

/** An uncompressed DICOM file of `columns` x `rows` pixels of 16 bits. */
export const greyFile = (columns: number, rows: number, seed: number): Uint8Array => {
  const pixels = pixelsOf(columns, rows, seed);
  return writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
      SOPInstanceUID: uidFrom(`bench/${columns}x${rows}/${seed}`),
      StudyInstanceUID: uidFrom('bench/study'),
      SeriesInstanceUID: uidFrom('bench/series'),
      Modality: 'DX',
      SamplesPerPixel: 1,
      PhotometricInterpretation: 'MONOCHROME2',
      Rows: rows,
      Columns: columns,
      BitsAllocated: 16,
      BitsStored: 16,
      HighBit: 15,
      PixelRepresentation: 0,
      WindowCenter: 24_000,
      WindowWidth: 44_000,
      RescaleIntercept: 0,
      RescaleSlope: 1,
      PixelData: new Uint8Array(pixels.buffer),
    },
    { transferSyntax: '1.2.840.10008.1.2.1' },
  );
};
