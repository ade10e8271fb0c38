import type { DataSet } from '../../dicom/write/data-set.ts';
import { TRANSFER_SYNTAX } from '../../dicom/write/transfer-syntax.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { identityAttributes } from './identity-attributes.ts';
import type { PictureIdentity } from './picture-identity.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

const ENCAPSULATED_PDF = '1.2.840.10008.5.1.4.1.1.104.1';

/**
 * Makes an Encapsulated PDF object (PS3.3 A.45.1) with the bytes of a PDF.
 * @throws DicomProblem 'too-large'; StorageError 'damaged'; RangeError naming the keyword of an invalid identity value
 */
export const pdfToDicom = async (
  file: FileToRead,
  identity: PictureIdentity,
  maxFileBytes: number,
): Promise<Uint8Array> => {
  const bytes = await readWholeFile(file, maxFileBytes);
  const dataSet: DataSet = {
    ...identityAttributes(identity),
    SOPClassUID: ENCAPSULATED_PDF,
    SeriesNumber: identity.series.number ?? 1,
    InstanceNumber: identity.instance.number ?? 1,
    Manufacturer: null,
    ConversionType: 'WSD',
    AcquisitionDateTime: null,
    // A letter names its patient.
    BurnedInAnnotation: 'YES',
    DocumentTitle: null,
    ConceptNameCodeSequence: [],
    MIMETypeOfEncapsulatedDocument: 'application/pdf',
    EncapsulatedDocument: bytes,
    EncapsulatedDocumentLength: bytes.length,
  };
  return writeDicom(dataSet, { transferSyntax: TRANSFER_SYNTAX.explicitLittle });
};
