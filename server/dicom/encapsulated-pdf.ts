import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { tags } from '../../dicom/tags.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

/** A PDF may begin with other bytes (ISO 32000-2 annex I). */
const headerWithin = 1024;

const pdfOf = ({ dataSet }: DicomFile): Uint8Array => {
  const element = dataSet.elements.get(tags.encapsulatedDocument);
  if (!element) throw new DicomProblem('image-unsupported', 'the object has no encapsulated document');
  if (element.claimedLength !== element.length) throw new DicomProblem('truncated', 'the document is cut off');
  // Without it, the value may end with a byte of padding.
  const [length = element.length] = dataSet.numbers(tags.encapsulatedDocumentLength, 'UL');
  const pdf = dataSet.source.bytes.slice(element.offset, element.offset + Math.min(length, element.length));
  if (!Buffer.from(pdf.subarray(0, headerWithin)).includes('%PDF-'))
    throw new DicomProblem('image-unsupported', 'the document is no PDF');
  return pdf;
};

/**
 * Returns the PDF in an Encapsulated PDF object (PS3.3 A.45.1).
 * @throws DicomProblem 'image-unsupported' when there is none, 'truncated', 'too-large'; StorageError 'damaged'
 */
export const encapsulatedPdf = async (file: FileToRead, maxFileBytes: number): Promise<Uint8Array> =>
  pdfOf(readDicomFile(await readWholeFile(file, maxFileBytes)));
