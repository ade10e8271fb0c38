import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { IMPLEMENTATION_CLASS_UID, IMPLEMENTATION_VERSION_NAME } from '../../../dicom/write/file-meta.ts';
import { type Association, createAssociation } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { createLink, type LinkLimits, usualLimits } from '../association/link.ts';
import {
  type AssociateAccept,
  type AssociateRequest,
  dicomApplicationContext,
  type ProposedContext,
  protocolVersion,
  type RoleSelection,
} from '../pdu/associate.ts';
import { abortReasons, PduProblem, pduTypes, type Rejection, readRejection } from '../pdu/pdu.ts';
import { readAssociateAccept } from '../pdu/read-associate.ts';
import { associateRequestPdu } from '../pdu/write-associate.ts';
import { acceptedContexts, providedClasses } from '../provider/accept-association.ts';
import { smallestPduBytes } from '../provider/negotiate.ts';

export interface Node {
  readonly host: string;
  readonly port: number;
  readonly aeTitle: string;
  /** Certificates of a node that is reached by TLS; null without TLS. */
  readonly tls?: ConnectionOptions | null;
}

/** Thrown when the peer rejects the association. */
export class AssociationRejected extends AssociationError {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    const { result, source, reason } = rejection;
    super('rejected', `The peer rejected the association: result ${result}, source ${source}, reason ${reason}`);
    this.rejection = rejection;
  }
}

const readAnswer = (type: number, body: Buffer): AssociateAccept | Rejection | null => {
  if (type === pduTypes.associateReject) return readRejection(body);
  if (type !== pduTypes.associateAccept) return null;
  const accept = readAssociateAccept(body);
  if (accept.maxPduBytes > 0 && accept.maxPduBytes < smallestPduBytes)
    throw new PduProblem(abortReasons.invalidParameter, 'The peer accepts no PDU of a usable size');
  return accept;
};

/** Opens an association as its requestor; `signal` ends the attempt. @throws AssociationRejected; AssociationError when the node does not answer, or aborts */
export const openAssociation = async (
  node: Node,
  callingAeTitle: string,
  contexts: readonly ProposedContext[],
  limits: LinkLimits = usualLimits,
  roles: readonly RoleSelection[] = [],
  signal?: AbortSignal,
): Promise<Association> => {
  signal?.throwIfAborted();
  const { host, port } = node;
  const socket = node.tls ? connectTls({ ...node.tls, host, port }) : connect({ host, port });
  const link = createLink(socket, limits);
  const request: AssociateRequest = {
    protocolVersion,
    calledAeTitle: node.aeTitle,
    callingAeTitle,
    applicationContext: dicomApplicationContext,
    contexts,
    maxPduBytes: limits.maxPduBytes,
    implementationClassUid: IMPLEMENTATION_CLASS_UID,
    implementationVersionName: IMPLEMENTATION_VERSION_NAME,
    roles,
  };
  link.prepare('associate-request', associateRequestPdu(request));
  const timer = setTimeout(() => link.send({ type: 'peer.timed-out' }), limits.artimMs);
  link.send({ type: 'association.requested' });
  const abort = () => link.send({ type: 'abort.requested' });
  signal?.addEventListener('abort', abort);
  socket.once(node.tls ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer);
    link.send({ type: 'connection.opened' });
  });
  const answer = await link
    .controlPdu((header, body) => readAnswer(header.type, body))
    .finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  if (answer && 'reason' in answer) throw new AssociationRejected(answer);
  link.ensureOpen();
  if (!answer) throw new AssociationError('aborted', 'The peer answered with another PDU');
  return createAssociation(link, {
    callingAeTitle,
    calledAeTitle: node.aeTitle,
    address: host,
    contexts: acceptedContexts(request, answer),
    requestorProvides: providedClasses(answer),
    peerMaxPduBytes: Math.min(answer.maxPduBytes || limits.maxPduBytes, limits.maxPduBytes),
  });
};
