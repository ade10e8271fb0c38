import { deflateRaw } from 'pako';
import type { DataSet } from './data-set.ts';
import { concat, elements, even, isFrames } from './elements.ts';
import { fileMeta } from './file-meta.ts';
import { encodingOf, isEncapsulated, TRANSFER_SYNTAX } from './transfer-syntax.ts';

/**
 * A DICOM file (PS3.10) from a data set. Text is UTF-8 (Specific Character Set ISO_IR 192).
 * Pixel Data must be frames for an encapsulated transfer syntax and plain values for every other.
 * @throws RangeError or TypeError that names the invalid keyword and never its value.
 */
export const writeDicom = (dataSet: DataSet, options: { readonly transferSyntax: string }): Uint8Array => {
  const { transferSyntax } = options;
  const { SOPClassUID, SOPInstanceUID, PixelData } = dataSet;
  if (typeof SOPClassUID !== 'string' || SOPClassUID === '') throw new TypeError('SOPClassUID is missing');
  if (typeof SOPInstanceUID !== 'string' || SOPInstanceUID === '') throw new TypeError('SOPInstanceUID is missing');
  if (PixelData !== undefined && PixelData !== null && isFrames(PixelData) !== isEncapsulated(transferSyntax)) {
    throw new TypeError(`PixelData is not of the kind that transfer syntax ${transferSyntax} holds`);
  }
  const meta = fileMeta(SOPClassUID, SOPInstanceUID, transferSyntax);
  const body = elements({ ...dataSet, SpecificCharacterSet: 'ISO_IR 192' }, encodingOf(transferSyntax));
  if (transferSyntax !== TRANSFER_SYNTAX.deflated) return concat([...meta, ...body]);
  return concat([...meta, even(deflateRaw(concat(body), { level: 4 }))]);
};
