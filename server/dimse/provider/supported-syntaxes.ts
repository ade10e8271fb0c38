import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import { storageCommitment } from '../message/commitment.ts';

export const verificationSopClass = '1.2.840.10008.1.1';

const plain = [transferSyntaxes.explicitLittleEndian, transferSyntaxes.implicitLittleEndian];

const jpegFamily = (...numbers: readonly number[]) => numbers.map((number) => `1.2.840.10008.1.2.4.${number}`);

/**
 * Every syntax that the archive stores. A sender may re-encode for what is chosen, so those without loss come before those that may lose
 * something.
 */
const storage: readonly string[] = [
  ...plain,
  transferSyntaxes.deflatedLittleEndian,
  transferSyntaxes.explicitBigEndian,
  ...jpegFamily(70, 57, 80, 90, 201, 202, 110),
  '1.2.840.10008.1.2.5',
  ...jpegFamily(81, 91, 203, 50, 51, 53, 55, 111, 112),
  ...jpegFamily(102, 103, 104, 105, 106, 107, 108),
];

const storageClass = /^1\.2\.840\.10008\.5\.1\.4\.(1\.1\.\d|34\.7$|38\.1$|39\.1$|43\.1$|44\.1$|45\.1$)/;

/** Returns whether objects of this class can be stored: by the tree of UIDs of PS3.4 annex B.5, so that new classes need no update. */
export const isStorageClass = (sopClassUid: string): boolean => storageClass.test(sopClassUid);

/** Study Root Query/Retrieve (PS3.4 C.6.2). */
export const studyRoot = {
  find: '1.2.840.10008.5.1.4.1.2.2.1',
  move: '1.2.840.10008.5.1.4.1.2.2.2',
  get: '1.2.840.10008.5.1.4.1.2.2.3',
} as const;

/** Modality Worklist (PS3.4 annex K) and Modality Performed Procedure Step (annex F). */
export const modalityWorklist = '1.2.840.10008.5.1.4.31';
export const modalityPerformedStep = '1.2.840.10008.3.1.2.3.3';

const studyRootClasses: readonly string[] = Object.values(studyRoot);

/** Returns the transfer syntaxes of storage, the preferred one first; null for another service. */
export const storageSyntaxes = (abstractSyntax: string): readonly string[] | null =>
  isStorageClass(abstractSyntax) ? storage : null;

/** What a peer may do beside verifying the connection. */
export interface PeerRights {
  readonly canRetrieve: boolean;
  readonly canStore: boolean;
  /** It asks for the worklist, and reports its steps. */
  readonly seesWorklist: boolean;
  /** It reports what it has committed. */
  readonly asksCommitment?: boolean;
  /** It was asked to send objects (C-MOVE). */
  readonly isMovedFrom?: boolean;
}

/** Returns the transfer syntaxes of classes of which a requestor may be the provider: objects of C-GET, and reports of storage commitment. */
export const syntaxesAsUser =
  ({ canRetrieve, asksCommitment = false }: PeerRights) =>
  (abstractSyntax: string): readonly string[] | null => {
    if (abstractSyntax === storageCommitment) return asksCommitment ? plain : null;
    return canRetrieve ? storageSyntaxes(abstractSyntax) : null;
  };

/** Returns the accepted transfer syntaxes of the services that a peer may use, the preferred one first. */
export const acceptedSyntaxes =
  ({ canRetrieve, canStore, seesWorklist, asksCommitment = false, isMovedFrom = false }: PeerRights) =>
  (abstractSyntax: string): readonly string[] | null => {
    if (abstractSyntax === verificationSopClass) return plain;
    if (canRetrieve && studyRootClasses.includes(abstractSyntax)) return plain;
    if (seesWorklist && (abstractSyntax === modalityWorklist || abstractSyntax === modalityPerformedStep)) return plain;
    if (abstractSyntax === storageCommitment) return canStore || asksCommitment ? plain : null;
    return canStore || isMovedFrom ? storageSyntaxes(abstractSyntax) : null;
  };
