import type { Codecs } from '../../dicom/codecs.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { isDirectory, readDirectory } from '../../dicom/directory.ts';
import type { DicomFile } from '../../dicom/file.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { checkComplete, checkFrames, encodedFrame } from '../../dicom/frames.ts';
import { type DicomSummary, summarise } from '../../dicom/identity.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { ImageDescription, PixelSpacing } from '../../dicom/image-model.ts';
import { DicomProblem, type DicomProblemCode } from '../../dicom/problem.ts';
import { compressionOf } from '../../dicom/transfer-syntax.ts';
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

const checkPicture = async (file: DicomFile, description: ImageDescription, codecs: Codecs): Promise<void> => {
  checkFrames(file, description);
  await decodeFrame(description, encodedFrame(file, description, 0), codecs);
};

const namedFiles = (file: DicomFile): readonly string[] => [
  ...new Set(readDirectory(file).map(({ path }) => path.join('/'))),
];

/** Reads a DICOM file, and decodes its first frame to see that it can be. Never rejects for what is wrong with the file. */
export const inspectFile = async (path: string, maxFileBytes: number, codecs: Codecs): Promise<Inspection> => {
  let summary: DicomSummary | null = null;
  let image: ImageEssentials | null = null;
  try {
    const file = readDicomFile(await readWholeFile(path, maxFileBytes));
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
