import type { FileProblem } from '../../../contract/imports.ts';
import { DicomProblem, type DicomProblemCode } from '../../../dicom/problem.ts';
import { StorageFault } from '../../storage/file-store.ts';

/** One file cannot be taken. `detail` is English, without patient data. */
export class RefusedFile extends Error {
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
  'picture-unsupported': 'picture-unreadable',
};

/** A fault of a DICOM object in the words of an import. */
export const refusalOfProblem = ({ code, detail }: Pick<DicomProblem, 'code' | 'detail'>): RefusedFile =>
  new RefusedFile(problems[code], detail);

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint): the values of this one file are at fault. */
const isDataError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]\w{3}$/.test(error.code);

/**
 * Why one file cannot be taken, when the fault is its own or its storage's.
 * @throws `error` itself when it is neither: then the whole task waits and is tried again
 */
export const refusalOf = (error: unknown): RefusedFile => {
  if (error instanceof RefusedFile) return error;
  if (error instanceof DicomProblem) return refusalOfProblem(error);
  if (error instanceof StorageFault) {
    return new RefusedFile('storage-failed', `its bytes cannot be kept or read (${error.code})`);
  }
  if (isDataError(error)) return new RefusedFile('malformed', 'the header holds values that the archive cannot keep');
  throw error;
};
