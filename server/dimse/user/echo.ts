import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import { AssociationError } from '../association/association-error.ts';
import { type LinkLimits, usualLimits } from '../association/link.ts';
import { statuses } from '../message/message.ts';
import { verificationSopClass } from '../provider/supported-syntaxes.ts';
import { AssociationRejected, type Node, openAssociation } from './open-association.ts';
import { createRequests, NoContext } from './requests.ts';

/** A person waits for the answer. */
const echoLimits: LinkLimits = { ...usualLimits, artimMs: 8_000, peerTimeoutMs: 8_000 };

const contexts = [
  {
    id: 1,
    abstractSyntax: verificationSopClass,
    transferSyntaxes: [transferSyntaxes.implicitLittleEndian, transferSyntaxes.explicitLittleEndian],
  },
];

/** Verifies the connection to a node (C-ECHO, PS3.4 annex A). */
export const echoNode = async (
  node: Node,
  callingAeTitle: string,
  limits = echoLimits,
): Promise<'answered' | 'rejected' | 'unreachable'> => {
  try {
    const association = await openAssociation(node, callingAeTitle, contexts, limits);
    const { status } = await createRequests(association).echo(verificationSopClass);
    await association.release();
    return status === statuses.success ? 'answered' : 'rejected';
  } catch (error) {
    if (error instanceof AssociationRejected || error instanceof NoContext) return 'rejected';
    if (error instanceof AssociationError) return 'unreachable';
    throw error;
  }
};
