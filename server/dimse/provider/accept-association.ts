import { type Association, type Context, createAssociation } from '../association/association.ts';
import type { Link } from '../association/link.ts';
import { type AssociateAccept, type AssociateRequest, contextResults } from '../pdu/associate.ts';
import { pduTypes, type Rejection, rejectPdu } from '../pdu/pdu.ts';
import { readAssociateRequest } from '../pdu/read-associate.ts';
import { associateAcceptPdu } from '../pdu/write-associate.ts';

/** Contexts that both sides agreed on. */
export const acceptedContexts = (
  { contexts: proposed }: AssociateRequest,
  { contexts: answered }: AssociateAccept,
): ReadonlyMap<number, Context> =>
  new Map(
    answered.flatMap(({ id, result, transferSyntax }) => {
      const context = proposed.find((one) => one.id === id);
      if (result !== contextResults.accepted || !context) return [];
      return [[id, { id, abstractSyntax: context.abstractSyntax, transferSyntax }] as const];
    }),
  );

/** SOP classes whose provider the requestor of the association is, by its accepted roles. */
export const providedClasses = ({ roles }: AssociateAccept): ReadonlySet<string> =>
  new Set(roles.filter(({ isProvider }) => isProvider).map(({ sopClassUid }) => sopClassUid));

/** What a provider answers to a request, and to whom it is allowed. */
export type Decide = (request: AssociateRequest) => Promise<Rejection | AssociateAccept>;

/** Lets the peer of an accepted connection open an association; null when it was rejected. @throws AssociationError */
export const acceptAssociation = async (link: Link, decide: Decide): Promise<Association | null> => {
  link.send({ type: 'connection.accepted' });
  const request = await link.controlPdu(({ type }, body) =>
    type === pduTypes.associateRequest ? readAssociateRequest(body) : null,
  );
  link.ensureOpen();
  if (!request) return null;
  const answer = await decide(request);
  if ('reason' in answer) {
    link.prepare('associate-reject', rejectPdu(answer));
    link.send({ type: 'request.rejected' });
    return null;
  }
  link.prepare('associate-accept', associateAcceptPdu(answer));
  link.send({ type: 'request.accepted' });
  const { maxPduBytes } = link.limits;
  return createAssociation(link, {
    callingAeTitle: request.callingAeTitle,
    calledAeTitle: request.calledAeTitle,
    address: link.address,
    contexts: acceptedContexts(request, answer),
    requestorProvides: providedClasses(answer),
    peerMaxPduBytes: Math.min(request.maxPduBytes || maxPduBytes, maxPduBytes),
  });
};
