import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import type { Association } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { commandFields, responseFieldOf, statuses } from '../message/message.ts';
import type { ProposedContext, RoleSelection } from '../pdu/associate.ts';
import type { OpenSink } from '../provider/object-sink.ts';
import { storeService } from '../provider/store-service.ts';
import { storageSyntaxes, studyRoot } from '../provider/supported-syntaxes.ts';
import { contextOfClass, oncePiece } from './find.ts';

const medium = 0;
const plain: readonly string[] = [transferSyntaxes.explicitLittleEndian, transferSyntaxes.implicitLittleEndian];
/** An association has 128 contexts; two of them are those of C-GET and C-MOVE. */
const maxStorageContexts = 126;

/** The transfer syntaxes that devices use, where many classes have to share the contexts. */
const usualSyntaxes = [
  transferSyntaxes.explicitLittleEndian,
  transferSyntaxes.implicitLittleEndian,
  ...[70, 50, 90, 80].map((number) => `1.2.840.10008.1.2.4.${number}`),
];

const storageContexts = (sopClassUids: readonly string[], isPlainOffered: boolean) => {
  const isOffered = (syntax: string) => isPlainOffered || !plain.includes(syntax);
  const all = sopClassUids.flatMap((uid) =>
    (storageSyntaxes(uid) ?? []).filter(isOffered).map((syntax) => [uid, syntax] as const),
  );
  if (all.length <= maxStorageContexts) return all;
  return sopClassUids
    .flatMap((uid) => usualSyntaxes.filter(isOffered).map((syntax) => [uid, syntax] as const))
    .slice(0, maxStorageContexts);
};

/**
 * Returns the contexts and roles by which a peer can send objects of these classes in the encoding in which it has them: each encoding has a context of
 * its own, and the requestor provides their storage (PS3.4 C.5.3). C-MOVE is proposed too: some peers reject an association of which they accept
 * nothing.
 */
export const getProposal = (
  sopClassUids: readonly string[],
  isPlainOffered = true,
): { readonly contexts: readonly ProposedContext[]; readonly roles: readonly RoleSelection[] } => {
  const storage = storageContexts(sopClassUids, isPlainOffered).map(([abstractSyntax, syntax], index) => ({
    id: index * 2 + 5,
    abstractSyntax,
    transferSyntaxes: [syntax],
  }));
  return {
    contexts: [
      { id: 1, abstractSyntax: studyRoot.get, transferSyntaxes: plain },
      { id: 3, abstractSyntax: studyRoot.move, transferSyntaxes: plain },
      ...storage,
    ],
    roles: sopClassUids.map((sopClassUid) => ({ sopClassUid, isUser: false, isProvider: true })),
  };
};

interface Retrieval {
  /** Encodes the identifier, in explicit or implicit VR. */
  readonly identifierOf: (explicitVr: boolean) => Buffer;
  readonly openSink: OpenSink;
  /** Learns of failures that are not the peer's. */
  readonly onError: (error: unknown) => void;
}

/** Fetches objects over an association that was opened with `getProposal`. */
export const createRetrievals = (association: Association) => {
  let lastId = 0;
  // The peer sends the objects: their file meta information names it as their source.
  const fromPeer: Association = {
    ...association,
    callingAeTitle: association.calledAeTitle,
    calledAeTitle: association.callingAeTitle,
  };

  return {
    /** Sends C-GET (PS3.4 C.4.3), takes each object that comes, and returns the final status. @throws NoContext, AssociationError */
    get: async ({ identifierOf, openSink, onError }: Retrieval): Promise<number> => {
      const context = contextOfClass(association, studyRoot.get);
      lastId += 1;
      const messageId = lastId;
      const request = {
        commandField: commandFields.getRequest,
        affectedSopClassUid: studyRoot.get,
        messageId,
        priority: medium,
      };
      const explicitVr = context.transferSyntax === transferSyntaxes.explicitLittleEndian;
      const store = storeService(openSink, onError);
      await association.send(context.id, request, oncePiece(identifierOf(explicitVr)));
      for (;;) {
        const message = await association.receive();
        const { commandField, respondedMessageId, status } = message?.command ?? {};
        if (message && commandField === commandFields.storeRequest) {
          await store(fromPeer, message);
        } else if (commandField === responseFieldOf(request) && respondedMessageId === messageId) {
          if (status !== statuses.pending) return status ?? statuses.processingFailure;
        } else {
          association.abort();
          throw new AssociationError('aborted', 'The peer did not answer the request');
        }
      }
    },
  };
};
