import { checkFrameSize, decodeFrame } from '../../dicom/decode.ts';
import { isDirectory, readDirectory } from '../../dicom/directory.ts';
import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { checkComplete, checkFrames, encodedFrame } from '../../dicom/frames.ts';
import { type DicomSummary, summarise } from '../../dicom/identity.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { ImageDescription, PixelSpacing } from '../../dicom/image-model.ts';
import { DicomProblem, type DicomProblemCode } from '../../dicom/problem.ts';
import { tags } from '../../dicom/tags.ts';
import { compressionOf, pixelEncodingOf } from '../../dicom/transfer-syntax.ts';
import type { ReducingCodecs } from './codecs.ts';
import { decodeReduced } from './decode-reduced.ts';
import { readFileHead } from './file-head.ts';
import { readWholeFile } from './whole-file.ts';

export interface ImageEssentials {
  readonly rows: number;
  readonly columns: number;
  readonly frames: number;
  readonly bitsStored: number;
  readonly photometricInterpretation: string;
  readonly compression: 'none' | 'lossless' | 'lossy';
  readonly spacing: PixelSpacing | null;
}

/** What importing a file needs to know about it. */
export interface Inspection {
  /** null when the file could not be read at all; `problems` says why. */
  readonly summary: DicomSummary | null;
  /** null for objects without pixels, and when the header does not describe a picture. */
  readonly image: ImageEssentials | null;
  /** Of a DICOMDIR: the files that it names, parted by `/`, from its own folder. Else null. */
  readonly directory: readonly string[] | null;
  /**
   * Everything that is wrong, none when the object can be imported. 'transfer-syntax-unsupported' alone means: sound as far
   * as can be told, but no picture can be made of it.
   */
  readonly problems: readonly { readonly code: DicomProblemCode; readonly detail: string }[];
}

const essentialsOf = (description: ImageDescription): ImageEssentials => ({
  rows: description.rows,
  columns: description.columns,
  frames: description.numberOfFrames,
  bitsStored: description.bitsStored,
  photometricInterpretation: description.photometricInterpretation,
  compression: compressionOf(description.transferSyntaxUid, description.lossy),
  spacing: description.spacing,
});

/** Pixels, of the long side. */
const trialLongSide = 64;

const isNative = ({ dataSet }: DicomFile, { transferSyntaxUid }: ImageDescription): boolean =>
  pixelEncodingOf(transferSyntaxUid) === 'native' && !dataSet.elements.get(tags.pixelData)?.fragments;

const checkPicture = async (file: DicomFile, description: ImageDescription, codecs: ReducingCodecs): Promise<void> => {
  checkFrameSize(description);
  checkFrames(file, description);
  // There is nothing in native pixels that could not be decoded: that they are all there is enough.
  if (isNative(file, description)) return;
  const codestream = encodedFrame(file, description, 0);
  checkFrameSize(description, codestream.length);
  // A low resolution meets every fault that the full one does, in a tenth of the time; where it cannot be had, the full one says why.
  if (await decodeReduced(description, codestream, trialLongSide, codecs)) return;
  await decodeFrame(description, codestream, codecs);
};

const namedFiles = (file: DicomFile): readonly string[] => [
  ...new Set(readDirectory(file).map(({ path }) => path.join('/'))),
];

const inspectWith = async (read: () => Promise<DicomFile>, codecs: ReducingCodecs): Promise<Inspection> => {
  let summary: DicomSummary | null = null;
  let image: ImageEssentials | null = null;
  try {
    const file = await read();
    summary = summarise(file);
    if (isDirectory(file)) return { summary, image, directory: namedFiles(file), problems: [] };
    checkComplete(file);
    const description = describeImage(file);
    if (description) {
      image = essentialsOf(description);
      await checkPicture(file, description, codecs);
    }
    return { summary, image, directory: null, problems: [] };
  } catch (problem) {
    if (!(problem instanceof DicomProblem)) throw problem;
    return { summary, image, directory: null, problems: [{ code: problem.code, detail: problem.detail }] };
  }
};

/**
 * Reads a DICOM file, and decodes its first frame if it is compressed, to see that it can be. Of native pixels only the head is read, unless something
 * is wrong. Never rejects for what is wrong with the file.
 */
export const inspectFile = async (path: string, maxFileBytes: number, codecs: ReducingCodecs): Promise<Inspection> => {
  let head: DicomFile | null = null;
  const byHead = await inspectWith(async () => {
    head = await readFileHead(path, maxFileBytes);
    return head ?? readDicomFile(await readWholeFile(path, maxFileBytes));
  }, codecs);
  if (!head || byHead.problems.length === 0) return byHead;
  return await inspectWith(async () => readDicomFile(await readWholeFile(path, maxFileBytes)), codecs);
};
