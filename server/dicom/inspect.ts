import { checkFrameSize, decodeFrame } from '../../dicom/decode.ts';
import { isDirectory, readDirectory } from '../../dicom/directory.ts';
import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { checkComplete, checkFrames, encodedFrame } from '../../dicom/frames.ts';
import { type DicomSummary, summarise } from '../../dicom/identity.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { ImageDescription, PixelSpacing } from '../../dicom/image-model.ts';
import { DicomProblem, type DicomProblemCode } from '../../dicom/problem.ts';
import { tags } from '../../dicom/tags.ts';
import { compressionOf, isVideo, pixelEncodingOf } from '../../dicom/transfer-syntax.ts';
import type { ReducingCodecs } from './codecs.ts';
import { decodeReduced } from './decode-reduced.ts';
import { readFileHead } from './file-head.ts';
import { type FileToRead, readWholeFile } from './whole-file.ts';

export interface ImageEssentials {
  readonly rows: number;
  readonly columns: number;
  readonly frames: number;
  readonly bitsStored: number;
  readonly photometricInterpretation: string;
  readonly compression: 'none' | 'lossless' | 'lossy';
  readonly spacing: PixelSpacing | null;
}

/** Properties of a DICOM file that the import needs. */
export interface Inspection {
  /** Null when the file could not be read at all; `problems` has the reason. */
  readonly summary: DicomSummary | null;
  /** Null for objects without pixels, and when the header does not describe an image. */
  readonly image: ImageEssentials | null;
  /** Files listed by a DICOMDIR, separated by `/`, relative to its folder. Else null. */
  readonly directory: readonly string[] | null;
  /**
   * All problems of the file; empty when it can be imported. 'transfer-syntax-unsupported' alone means that the file appears intact but cannot
   * be rendered.
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

/** Long side in pixels. */
const trialLongSide = 64;

const isNative = ({ dataSet }: DicomFile, { transferSyntaxUid }: ImageDescription): boolean =>
  pixelEncodingOf(transferSyntaxUid) === 'native' && !dataSet.elements.get(tags.pixelData)?.fragments;

const checkPicture = async (file: DicomFile, description: ImageDescription, codecs: ReducingCodecs): Promise<void> => {
  // Browsers play videos; the server does not decode them.
  if (isVideo(description.transferSyntaxUid)) return;
  checkFrameSize(description);
  checkFrames(file, description);
  // Native pixels need no decoding: their presence is enough.
  if (isNative(file, description)) return;
  const codestream = encodedFrame(file, description, 0);
  checkFrameSize(description, codestream.length);
  // A low resolution detects the same errors in a tenth of the time; where there is none, the full one is decoded.
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
 * Reads a DICOM file and, if compressed, decodes its first frame to verify it. With native pixels only the head is read, unless a problem is
 * found. Never rejects for errors in the file.
 * @throws StorageError 'damaged' when it is read in full
 */
export const inspectFile = async (
  read: FileToRead,
  maxFileBytes: number,
  codecs: ReducingCodecs,
): Promise<Inspection> => {
  let head: DicomFile | null = null;
  const byHead = await inspectWith(async () => {
    head = await readFileHead(read.path, maxFileBytes);
    return head ?? readDicomFile(await readWholeFile(read, maxFileBytes));
  }, codecs);
  if (!head || byHead.problems.length === 0) return byHead;
  return await inspectWith(async () => readDicomFile(await readWholeFile(read, maxFileBytes)), codecs);
};
