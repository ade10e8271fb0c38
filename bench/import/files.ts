import { Buffer } from 'node:buffer';
import { uidFrom } from '../../dicom/write/uid.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';

/** 1280 x 1000 pixels of 16 bits: 2.56 million bytes. */
const columns = 1280;
const rows = 1000;
const pixelBytes = columns * rows * 2;

/** A file as it is sent: header and pixels are separate buffers, so that hundreds of files share memory. */
export interface BenchFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly pieces: readonly Buffer[];
}

const headOf = (run: string, index: number): Buffer => {
  const whole = writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
      SOPInstanceUID: uidFrom(`bench/import/${run}/${index}`),
      StudyInstanceUID: uidFrom(`bench/import/${run}/study`),
      SeriesInstanceUID: uidFrom(`bench/import/${run}/series`),
      PatientID: run,
      PatientName: 'Bench^Import',
      PatientBirthDate: `${run.slice(0, 8)}`,
      StudyDate: '20260102',
      Modality: 'DX',
      InstanceNumber: index + 1,
      SamplesPerPixel: 1,
      PhotometricInterpretation: 'MONOCHROME2',
      Rows: rows,
      Columns: columns,
      BitsAllocated: 16,
      BitsStored: 16,
      HighBit: 15,
      PixelRepresentation: 0,
      PixelData: new Uint8Array(pixelBytes),
    },
    { transferSyntax: '1.2.840.10008.1.2.1' },
  );
  return Buffer.from(whole.subarray(0, whole.byteLength - pixelBytes));
};

/** Smooth shapes and noise, long enough for every file to have its own range. */
const pixelsFor = (count: number): Buffer => {
  const values = new Uint16Array(columns * rows + count * columns);
  let state = 1;
  for (let at = 0; at < values.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[at] = 30_000 + 20_000 * Math.sin(at / 3_000) + (state >>> 22);
  }
  return Buffer.from(values.buffer);
};

let pixels: Buffer = Buffer.alloc(0);

/** `count` files of one study, each with its own UID and its own pixels; another `run` gives other files. */
export const benchFiles = (run: string, count: number): BenchFile[] => {
  if (pixels.length === 0) pixels = pixelsFor(count);
  return Array.from({ length: count }, (_, index) => {
    const from = index * columns * 2;
    const pieces = [headOf(run, index), pixels.subarray(from, from + pixelBytes)];
    return { name: `IM${String(index).padStart(6, '0')}`, sizeBytes: (pieces[0]?.length ?? 0) + pixelBytes, pieces };
  });
};
