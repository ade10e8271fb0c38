import { encapsulatedPdfClass } from '../../server/domain/image-classes.ts';
import { bytesOf, element } from '../dicom/build-dicom.ts';
import { smallObject } from './small-object.ts';

const uint32 = (value: number): Uint8Array => new Uint8Array(new Uint32Array([value]).buffer);

/** Bytes of an Encapsulated PDF object (PS3.3 A.45.1). The document is padded to an even length; null: it is missing. */
export const pdfObject = (document: Uint8Array | null, sopInstanceUid = '2.25.7001'): Uint8Array =>
  bytesOf(
    smallObject({
      SOPClassUID: encapsulatedPdfClass,
      SOPInstanceUID: sopInstanceUid,
      SeriesInstanceUID: '2.25.7000',
      Modality: 'DOC',
      Rows: undefined,
      Columns: undefined,
      PixelData: undefined,
    }),
    document ? element(0x00420011, 'OB', document) : [],
    element(0x00420012, 'LO', 'application/pdf'),
    document ? element(0x00420015, 'UL', uint32(document.length)) : [],
  );
