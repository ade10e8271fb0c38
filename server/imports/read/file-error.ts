import type { FileProblem } from '../../../contract/imports.ts';
import { DicomProblem, type DicomProblemCode } from '../../../dicom/problem.ts';
import { StorageError } from '../../storage/file-store.ts';

/** Thrown when one file cannot be imported. `detail` is English, without patient data. */
export class FileError extends Error {
  override readonly name = 'RefusedFile';
  readonly problem: FileProblem;
  readonly detail: string;

  constructor(problem: FileProblem, detail: string) {
    super(`${problem}: ${detail}`);
    this.problem = problem;
    this.detail = detail;
  }
}

const problems: Readonly<Record<DicomProblemCode, FileProblem>> = {
  'not-dicom': 'not-dicom',
  malformed: 'malformed',
  truncated: 'truncated',
  'too-large': 'too-large',
  'no-pixel-data': 'malformed',
  'no-image-size': 'no-image-size',
  'image-unsupported': 'decode-failed',
  'transfer-syntax-unsupported': 'transfer-syntax-unsupported',
  'pixel-data-short': 'pixel-data-short',
  'no-such-frame': 'pixel-data-short',
  'decode-failed': 'decode-failed',
  'took-too-long': 'took-too-long',
  'picture-unsupported': 'picture-unsupported',
  'picture-damaged': 'picture-unreadable',
  'video-unsupported': 'video-unsupported',
};

/** Converts the problem of a DICOM object to the error of an import file. */
export const fileErrorOfProblem = ({ code, detail }: Pick<DicomProblem, 'code' | 'detail'>): FileError =>
  new FileError(problems[code], detail);

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint): caused by the values of this one file. */
const isDataError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]\w{3}$/.test(error.code);

/**
 * Converts an error of one file or of its storage to the reason why the file is refused.
 * @throws `error` itself when it concerns the whole task, which is then retried
 */
export const fileErrorOf = (error: unknown): FileError => {
  if (error instanceof FileError) return error;
  if (error instanceof DicomProblem) return fileErrorOfProblem(error);
  // The folder is missing or its disk is full: not an error of this file.
  if (error instanceof StorageError && (error.code === 'away' || error.code === 'full')) throw error;
  if (error instanceof StorageError) {
    return new FileError('storage-failed', `its bytes cannot be kept or read (${error.code})`);
  }
  if (isDataError(error)) return new FileError('malformed', 'the header holds values that the archive cannot keep');
  throw error;
};
