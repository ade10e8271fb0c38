import type { DataSet } from '../../dicom/write/data-set.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';

const digitalXRay = '1.2.840.10008.5.1.4.1.1.1.1';

/** Bytes of a grey DICOM image of 8 x 6 pixels; `changes` replaces or removes (undefined) elements. */
export const smallObject = (changes: DataSet = {}, transferSyntax = '1.2.840.10008.1.2.1'): Uint8Array => {
  const pixels = new Uint16Array(48).map((_, index) => index * 80);
  return writeDicom(
    {
      SOPClassUID: digitalXRay,
      SOPInstanceUID: '2.25.1001',
      StudyInstanceUID: '2.25.1002',
      SeriesInstanceUID: '2.25.1003',
      StudyDate: '20260312',
      StudyDescription: 'Check-up',
      SeriesDescription: 'Bitewing',
      SeriesNumber: 1,
      InstanceNumber: 1,
      Modality: 'IO',
      PatientName: 'Lindström^Åsa',
      PatientID: '19800101-1234',
      PatientBirthDate: '19800101',
      SamplesPerPixel: 1,
      PhotometricInterpretation: 'MONOCHROME2',
      Rows: 6,
      Columns: 8,
      BitsAllocated: 16,
      BitsStored: 12,
      HighBit: 11,
      PixelRepresentation: 0,
      PixelData: pixels,
      ...changes,
    },
    { transferSyntax },
  );
};
