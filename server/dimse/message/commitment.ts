import type { DataSet } from '../../../dicom/data-set.ts';
import { tags } from '../../../dicom/tags.ts';

/** Storage Commitment Push Model (PS3.4 annex J): its class, and the one instance that every provider has. */
export const storageCommitment = '1.2.840.10008.1.20.1';
export const storageCommitmentInstance = '1.2.840.10008.1.20.1.1';

/** Action type of a request. */
export const requestCommitment = 1;

/** Event types of a report: all objects are committed, or some are not. */
export const commitmentEvents = { allCommitted: 1, someFailed: 2 } as const;

/** Why an object is not committed (PS3.3 C.14.1.1). */
export const commitmentFailures = {
  processingFailure: 0x0110,
  noSuchObject: 0x0112,
  classInstanceConflict: 0x0119,
} as const;

/** An object as a request names it. */
export interface ObjectReference {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
}

export const isUid = (text: string | null | undefined): text is string =>
  typeof text === 'string' && text.length <= 64 && /^\d+(\.\d+)*$/.test(text);

/** Returns the transaction of a request or report; null when it has none. */
export const transactionIn = (dataSet: DataSet): string | null => {
  const uid = dataSet.code(tags.transactionUid);
  return isUid(uid) ? uid : null;
};

/** Returns the objects that a sequence names; null when one has no UID. @throws DicomProblem */
export const referencesIn = (dataSet: DataSet, sequence: number): readonly ObjectReference[] | null => {
  const references: ObjectReference[] = [];
  for (const item of dataSet.elements.has(sequence) ? dataSet.sequence(sequence) : []) {
    const [sopClassUid, sopInstanceUid] = [
      item.code(tags.referencedSopClassUid),
      item.code(tags.referencedSopInstanceUid),
    ];
    if (!isUid(sopClassUid) || !isUid(sopInstanceUid)) return null;
    references.push({ sopClassUid, sopInstanceUid });
  }
  return references;
};
