import { readDicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { PixelArray } from '../../dicom/image-model.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';

export const codecs = createCodecs();

/** Returns a file and the description of its image. */
export const opened = (bytes: Uint8Array) => {
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (!description) throw new Error('no picture');
  return { file, description };
};

/** Noise over a ramp, from `low` to `high`, the same in every run. */
export const noisy = <Values extends PixelArray>(values: Values, low: number, high: number): Values => {
  let state = 7;
  for (let index = 0; index < values.length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const share = (((state >>> 8) % 1000) / 999 + index / values.length) / 2;
    values[index] = low + Math.round(share * (high - low));
  }
  if (values.length > 1) [values[0], values[values.length - 1]] = [low, high];
  return values;
};

export interface Grey {
  readonly rows: number;
  readonly columns: number;
  readonly values: Uint8Array | Int8Array | Uint16Array | Int16Array;
  readonly bitsStored: number;
  readonly more?: DataSet;
}

/** Returns an uncompressed greyscale file. */
export const greyFile = ({ rows, columns, values, bitsStored, more = {} }: Grey) => {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const bitsAllocated = values.BYTES_PER_ELEMENT * 8;
  return writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
      SOPInstanceUID: '1.2.3.4',
      PatientName: 'Fågelström^Görel',
      PatientID: '19121212-1212',
      SamplesPerPixel: 1,
      PhotometricInterpretation: 'MONOCHROME2',
      Rows: rows,
      Columns: columns,
      BitsAllocated: bitsAllocated,
      BitsStored: bitsStored,
      HighBit: bitsStored - 1,
      PixelRepresentation: values instanceof Int16Array || values instanceof Int8Array ? 1 : 0,
      ...more,
      PixelData: bitsAllocated === 16 ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) : bytes,
    },
    { transferSyntax: '1.2.840.10008.1.2.1' },
  );
};
