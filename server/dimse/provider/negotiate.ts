import { IMPLEMENTATION_CLASS_UID, IMPLEMENTATION_VERSION_NAME } from '../../../dicom/write/file-meta.ts';
import {
  type AnsweredContext,
  type AssociateAccept,
  type AssociateRequest,
  contextResults,
  dicomApplicationContext,
  type ProposedContext,
  protocolVersion,
} from '../pdu/associate.ts';
import { type Rejection, rejections } from '../pdu/pdu.ts';

/** Returns the transfer syntaxes that are accepted for an abstract syntax, the preferred one first; null when it is not supported. */
export type SyntaxesOf = (abstractSyntax: string) => readonly string[] | null;

/** What the archive takes part in. */
export interface Support {
  /** As the provider of a service. */
  readonly syntaxesOf: SyntaxesOf;
  /** As its user, where the requestor is the provider (C-GET); none when omitted. */
  readonly syntaxesAsUser?: SyntaxesOf;
}

/** With less, a header would leave hardly any room for data. */
export const smallestPduBytes = 1024;

const answered = ({ id, transferSyntaxes }: ProposedContext, ours: readonly string[] | null): AnsweredContext => {
  const [anySyntax = ''] = transferSyntaxes;
  if (!ours) return { id, result: contextResults.abstractSyntax, transferSyntax: anySyntax };
  const chosen = ours.find((syntax) => transferSyntaxes.includes(syntax));
  if (!chosen) return { id, result: contextResults.transferSyntaxes, transferSyntax: anySyntax };
  return { id, result: contextResults.accepted, transferSyntax: chosen };
};

const rejectionOf = (request: AssociateRequest): Rejection | null => {
  if ((request.protocolVersion & protocolVersion) === 0) return rejections.protocolVersion;
  if (request.applicationContext !== dicomApplicationContext) return rejections.applicationContext;
  return request.maxPduBytes > 0 && request.maxPduBytes < smallestPduBytes ? rejections.noReason : null;
};

/** Answers a request for an association. Of each context the first of our transfer syntaxes that the peer proposes is chosen. */
export const negotiate = (
  request: AssociateRequest,
  { syntaxesOf, syntaxesAsUser = () => null }: Support,
  maxPduBytes: number,
): Rejection | AssociateAccept => {
  const rejection = rejectionOf(request);
  if (rejection) return rejection;
  const roles = request.roles
    .map(({ sopClassUid, isUser, isProvider }) => ({
      sopClassUid,
      isUser: isUser && syntaxesOf(sopClassUid) !== null,
      isProvider: isProvider && syntaxesAsUser(sopClassUid) !== null,
    }))
    .filter(({ isUser, isProvider }) => isUser || isProvider);
  const isProvided = (uid: string) => roles.some(({ sopClassUid, isProvider }) => sopClassUid === uid && isProvider);
  const contexts = request.contexts.map((context) => {
    const { abstractSyntax: uid } = context;
    return answered(context, syntaxesOf(uid) ?? (isProvided(uid) ? syntaxesAsUser(uid) : null));
  });
  return {
    protocolVersion,
    calledAeTitle: request.calledAeTitle,
    callingAeTitle: request.callingAeTitle,
    applicationContext: dicomApplicationContext,
    contexts,
    maxPduBytes,
    implementationClassUid: IMPLEMENTATION_CLASS_UID,
    implementationVersionName: IMPLEMENTATION_VERSION_NAME,
    roles,
  };
};
