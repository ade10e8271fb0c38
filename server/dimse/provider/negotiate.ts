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

/** With less, a header would leave hardly any room for data. */
export const smallestPduBytes = 1024;

const answered = (
  { id, abstractSyntax, transferSyntaxes }: ProposedContext,
  syntaxesOf: SyntaxesOf,
): AnsweredContext => {
  const ours = syntaxesOf(abstractSyntax);
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
  syntaxesOf: SyntaxesOf,
  maxPduBytes: number,
): Rejection | AssociateAccept => {
  const rejection = rejectionOf(request);
  if (rejection) return rejection;
  const contexts = request.contexts.map((context) => answered(context, syntaxesOf));
  const isSupported = (uid: string) => syntaxesOf(uid) !== null;
  return {
    protocolVersion,
    calledAeTitle: request.calledAeTitle,
    callingAeTitle: request.callingAeTitle,
    applicationContext: dicomApplicationContext,
    contexts,
    maxPduBytes,
    implementationClassUid: IMPLEMENTATION_CLASS_UID,
    implementationVersionName: IMPLEMENTATION_VERSION_NAME,
    // Here the requestor is the user of each service; C-GET will accept it as provider of storage.
    roles: request.roles
      .filter(({ sopClassUid }) => isSupported(sopClassUid))
      .map(({ sopClassUid, isUser }) => ({ sopClassUid, isUser, isProvider: false })),
  };
};
