/** What S3 allows: no part but the last is smaller, and no upload has more parts. */
const smallestPart = 5 * 2 ** 20;
const mostParts = 10_000;
const mebibyte = 2 ** 20;

/** Bytes of each part but the last: as wished, unless the store would not take it. */
export const partBytesFor = (sizeBytes: number, wishedBytes: number): number => {
  const needed = Math.ceil(Math.ceil(sizeBytes / mostParts) / mebibyte) * mebibyte;
  return Math.max(wishedBytes, smallestPart, needed);
};

export interface PlannedPart {
  /** From 1. */
  readonly number: number;
  readonly sizeBytes: number;
}

/** The parts of a file. An empty one has one part, of no bytes: an upload without parts cannot be completed. */
export const partsOf = (sizeBytes: number, partBytes: number): PlannedPart[] =>
  Array.from({ length: Math.max(1, Math.ceil(sizeBytes / partBytes)) }, (_, index) => ({
    number: index + 1,
    sizeBytes: Math.min(partBytes, sizeBytes - index * partBytes),
  }));
