/** S3 limits: minimum size of every part but the last, and maximum number of parts. */
const minPart = 5 * 2 ** 20;
const maxParts = 10_000;
const mebibyte = 2 ** 20;

/** Returns the size of each part but the last: the preferred size, adjusted to the S3 limits. */
export const partBytesFor = (sizeBytes: number, preferredBytes: number): number => {
  const needed = Math.ceil(Math.ceil(sizeBytes / maxParts) / mebibyte) * mebibyte;
  return Math.max(preferredBytes, minPart, needed);
};

export interface PlannedPart {
  /** Part number, from 1. */
  readonly number: number;
  readonly sizeBytes: number;
}

/** Returns the parts of a file. An empty file has one empty part, because an upload without parts cannot be completed. */
export const partsOf = (sizeBytes: number, partBytes: number): PlannedPart[] =>
  Array.from({ length: Math.max(1, Math.ceil(sizeBytes / partBytes)) }, (_, index) => ({
    number: index + 1,
    sizeBytes: Math.min(partBytes, sizeBytes - index * partBytes),
  }));
