import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import type { Association } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { commandFields, responseFieldOf, statuses } from '../message/message.ts';
import { studyRoot } from '../provider/supported-syntaxes.ts';
import { contextOfClass, oncePiece } from './find.ts';

const medium = 0;
/** As long a peer may take to end a cancelled request. */
const cancelMs = 5_000;

export const moveContexts = [
  {
    id: 1,
    abstractSyntax: studyRoot.move,
    transferSyntaxes: [transferSyntaxes.explicitLittleEndian, transferSyntaxes.implicitLittleEndian],
  },
];

interface Move {
  /** Encodes the identifier, in explicit or implicit VR. */
  readonly identifierOf: (explicitVr: boolean) => Buffer;
  /** AE title to which the peer is to send the objects. */
  readonly destination: string;
  /** Cancels the request (C-CANCEL). */
  readonly signal: AbortSignal;
}

/** Has a peer send objects, request by request, over an association that was opened with `moveContexts`. */
export const createMoves = (association: Association) => {
  let lastId = 0;

  const finalStatus = async (messageId: number): Promise<number> => {
    for (;;) {
      const { commandField, respondedMessageId, status } = (await association.receive())?.command ?? {};
      if (
        commandField !== responseFieldOf({ commandField: commandFields.moveRequest }) ||
        respondedMessageId !== messageId
      ) {
        association.abort();
        throw new AssociationError('aborted', 'The peer did not answer the request');
      }
      if (status !== statuses.pending) return status ?? statuses.processingFailure;
    }
  };

  return {
    /** Sends C-MOVE (PS3.4 C.4.2) and returns the final status. @throws NoContext, AssociationError */
    move: async ({ identifierOf, destination, signal }: Move): Promise<number> => {
      const context = contextOfClass(association, studyRoot.move);
      lastId += 1;
      const messageId = lastId;
      const request = {
        commandField: commandFields.moveRequest,
        affectedSopClassUid: studyRoot.move,
        messageId,
        priority: medium,
        moveDestination: destination,
      };
      const explicitVr = context.transferSyntax === transferSyntaxes.explicitLittleEndian;
      await association.send(context.id, request, oncePiece(identifierOf(explicitVr)));
      let timer: NodeJS.Timeout | undefined;
      const cancel = () => {
        timer = setTimeout(association.abort, cancelMs);
        const command = { commandField: commandFields.cancelRequest, respondedMessageId: messageId };
        // A lost association ends the wait for the response too.
        association.send(context.id, command).catch(() => undefined);
      };
      signal.addEventListener('abort', cancel);
      if (signal.aborted) cancel();
      try {
        return await finalStatus(messageId);
      } finally {
        signal.removeEventListener('abort', cancel);
        clearTimeout(timer);
      }
    },
  };
};
