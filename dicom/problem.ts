/** Everything that can be wrong with a DICOM object, as seen by a reader. The list is closed. */
export type DicomProblemCode =
  | 'not-dicom'
  | 'malformed'
  | 'truncated'
  | 'too-large'
  | 'no-pixel-data'
  | 'no-image-size'
  | 'image-unsupported'
  | 'transfer-syntax-unsupported'
  | 'pixel-data-short'
  | 'no-such-frame'
  | 'decode-failed'
  | 'took-too-long'
  | 'picture-unsupported'
  | 'picture-damaged'
  | 'video-unsupported';

/** A DICOM object that cannot be read. `detail` is plain English for a log or a support case and holds no patient data. */
export class DicomProblem extends Error {
  override readonly name = 'DicomProblem';
  readonly code: DicomProblemCode;
  readonly detail: string;

  constructor(code: DicomProblemCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}
