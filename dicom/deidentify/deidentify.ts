import type { DataSet } from '../data-set.ts';
import type { DicomFile } from '../file.ts';
import { frameBits } from '../frames.ts';
import { describeImage } from '../image-description.ts';
import type { ImageDescription } from '../image-model.ts';
import { DicomProblem } from '../problem.ts';
import { tags } from '../tags.ts';
import { pixelEncodingOf, transferSyntaxes } from '../transfer-syntax.ts';
import type { DataSet as WrittenDataSet } from '../write/data-set.ts';
import { type Chunks, concat, elementHeader, elements, UNDEFINED_LENGTH } from '../write/elements.ts';
import { fileMeta } from '../write/file-meta.ts';
import { type Keyword, TAGS } from '../write/tags.ts';
import { encodingOf, isEncapsulated } from '../write/transfer-syntax.ts';
import { keptElements, type ReplaceUid } from './kept-values.ts';
import { knownStructures } from './structures.ts';

export interface DeidentifyOptions {
  /** Patient ID and Patient's Name of the copy. */
  readonly pseudonym: string;
  readonly replaceUid: ReplaceUid;
}

/** A de-identified file up to its pixel values. */
export interface DeidentifiedStart {
  readonly start: Uint8Array;
  /**
   * The pixel values: `lengthBytes` of them from `offset` in the data of the file, for `cleanedSamples`, padded to an even length; null: fragments
   * of unknown length, for `cleanedFragments`.
   */
  readonly pixels: { readonly offset: number; readonly lengthBytes: number | null };
  readonly description: ImageDescription;
  readonly transferSyntaxUid: string;
}

/** Whether text may be burnt into the pixels: the file does not deny it (PS3.3 C.7.6.1.1.2, Burned In Annotation). */
export const mayHaveBurnedInText = ({ dataSet }: DicomFile): boolean =>
  dataSet.codes(tags.burnedInAnnotation).join() !== 'NO';

/** What PS3.15 E.1.1 requires to be written. */
const marks = (pseudonym: string): WrittenDataSet => ({
  PatientName: pseudonym,
  PatientID: pseudonym,
  PatientBirthDate: null,
  PatientSex: null,
  PatientIdentityRemoved: 'YES',
  DeidentificationMethod: 'DICOM PS3.15 Basic Application Confidentiality Profile',
  DeidentificationMethodCodeSequence: [
    {
      CodeValue: '113100',
      CodingSchemeDesignator: 'DCM',
      CodeMeaning: 'Basic Application Confidentiality Profile',
    },
  ],
  LongitudinalTemporalInformationModified: 'REMOVED',
});

/** Overlays of older files are in the unused bits of the pixel values (PS3.5 8.1.2), which are not changed. */
const requireNoEmbeddedOverlay = ({ elements: all }: DataSet): void => {
  for (const tag of all.keys()) {
    const isOverlay = tag >>> 24 === 0x60;
    if (isOverlay && (tag & 0xffff) === 0x0010 && !all.has(tag - 0x0010 + 0x3000)) {
      throw new DicomProblem('image-unsupported', 'an overlay is in the unused bits of the pixel values');
    }
  }
};

/** Returns the number of bytes that the frames need. @throws DicomProblem 'pixel-data-short' */
const nativeBytes = (dataSet: DataSet, description: ImageDescription): number => {
  const bytes = Math.ceil((frameBits(description) * description.numberOfFrames) / 8);
  const there = dataSet.elements.get(tags.pixelData)?.length ?? 0;
  if (there < bytes) throw new DicomProblem('pixel-data-short', 'the pixel data are shorter than the image');
  return bytes;
};

const pixelsOf = (
  dataSet: DataSet,
  description: ImageDescription,
  transferSyntaxUid: string,
): DeidentifiedStart['pixels'] => {
  const element = dataSet.elements.get(tags.pixelData);
  if (!element) throw new DicomProblem('image-unsupported', 'the object has no integer pixel data');
  const { offset, fragments } = element;
  if ((fragments !== null) !== isEncapsulated(transferSyntaxUid)) {
    throw new DicomProblem('malformed', 'the pixel data are not of the kind that the transfer syntax has');
  }
  return { offset, lengthBytes: fragments ? null : nativeBytes(dataSet, description) };
};

/** Numbers with text behind them are read, but not kept: the copy must state the frames that it has. */
const framesOf = (dataSet: DataSet, { numberOfFrames }: ImageDescription): WrittenDataSet =>
  dataSet.elements.has(tags.numberOfFrames) ? { NumberOfFrames: numberOfFrames } : {};

/** Returns the syntax of the copy. A deflated file is written inflated, so that its pixel values are found by offset. */
const syntaxOfCopy = ({ transferSyntaxUid }: DicomFile): string => {
  const encoding = pixelEncodingOf(transferSyntaxUid);
  // JPEG XL files hold boxes of metadata, which are not cleaned here.
  if (encoding === 'unsupported' || encoding === 'jpeg-xl') {
    throw new DicomProblem('transfer-syntax-unsupported', 'compressed pixels of this kind cannot be checked for text');
  }
  return transferSyntaxUid === transferSyntaxes.deflatedLittleEndian
    ? transferSyntaxes.explicitLittleEndian
    : transferSyntaxUid;
};

/** Attributes that Frame Increment Pointer names. */
const pointedTo = (dataSet: DataSet): readonly number[] => {
  const words = [...dataSet.words(tags.frameIncrementPointer)];
  return words.flatMap((group, index) => (index % 2 === 0 ? [((group << 16) | (words[index + 1] ?? 0)) >>> 0] : []));
};

/** VL and Video Photographic Image, and the other classes with the VL Image module. */
const photographicClasses = '1.2.840.10008.5.1.4.1.1.77.1.';

const generated = (dataSet: WrittenDataSet, transferSyntaxUid: string): [number, Chunks][] =>
  Object.entries(dataSet).map(([keyword, value]) => [
    TAGS[keyword as Keyword][0],
    elements({ [keyword]: value }, encodingOf(transferSyntaxUid)),
  ]);

/**
 * De-identifies an image by the Basic Application Level Confidentiality Profile (PS3.15 annex E), all but its pixel values.
 * @param file read at least up to its pixel data
 * @throws DicomProblem when the file is not an image that can be de-identified
 */
export const deidentify = (file: DicomFile, { pseudonym, replaceUid }: DeidentifyOptions): DeidentifiedStart => {
  const { dataSet } = file;
  const transferSyntaxUid = syntaxOfCopy(file);
  requireNoEmbeddedOverlay(dataSet);
  const description = describeImage(file);
  if (!description) throw new DicomProblem('no-pixel-data', 'the object has no pixel data');
  const pixels = pixelsOf(dataSet, description, transferSyntaxUid);
  const encoding = encodingOf(transferSyntaxUid);
  const isEnhanced = dataSet.elements.has(tags.sharedFunctionalGroupsSequence);
  const isPhotograph = dataSet.code(tags.sopClassUid)?.startsWith(photographicClasses) ?? false;
  const written = new Map([
    ...keptElements(dataSet, { encoding, replaceUid, isEnhanced, isPhotograph }),
    ...generated(
      { ...marks(pseudonym), ...knownStructures(dataSet), ...framesOf(dataSet, description) },
      transferSyntaxUid,
    ),
  ]);
  const sopClassUid = dataSet.code(tags.sopClassUid);
  const sopInstanceUid = dataSet.code(tags.sopInstanceUid);
  if (!sopClassUid || !sopInstanceUid || !written.has(tags.sopClassUid)) {
    throw new DicomProblem('malformed', 'the file has no valid SOP Class UID or SOP Instance UID');
  }
  if (!pointedTo(dataSet).every((tag) => written.has(tag))) written.delete(tags.frameIncrementPointer);
  const body = [...written].sort(([one], [other]) => one - other).flatMap(([, chunks]) => chunks);
  const vr = pixels.lengthBytes === null || dataSet.elements.get(tags.pixelData)?.vr === 'OB' ? 'OB' : 'OW';
  const { lengthBytes } = pixels;
  const length = lengthBytes === null ? UNDEFINED_LENGTH : lengthBytes + (lengthBytes % 2);
  const pixelHeader = elementHeader(tags.pixelData, vr, length, encoding, 'PixelData');
  const meta = fileMeta(sopClassUid, replaceUid(sopInstanceUid), transferSyntaxUid);
  return { start: concat([...meta, ...body, pixelHeader]), pixels, description, transferSyntaxUid };
};
