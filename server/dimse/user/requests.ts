import type { Association, Context } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import type { CommandSet } from '../message/command-set.ts';
import { commandFields, responseFieldOf, statuses } from '../message/message.ts';

/** An object as it is sent: its bytes are those of a file behind the file meta information. */
export interface SentObject {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  readonly dataSet: AsyncIterable<Uint8Array>;
}

export interface Response {
  readonly status: number;
  readonly errorComment: string | null;
}

/** The C-MOVE by which an object is sent; empty without one. */
export type MoveOrigin = Pick<CommandSet, 'moveOriginatorAeTitle' | 'moveOriginatorMessageId'>;

/** Thrown when no accepted context fits what is to be sent; nothing was sent. */
export class NoContext extends Error {
  override readonly name = 'NoContext';
}

const medium = 0;

const contextFor = (
  { contexts }: Association,
  abstractSyntax: string,
  transferSyntax: string | null = null,
): Context => {
  const found = [...contexts.values()].find(
    (context) =>
      context.abstractSyntax === abstractSyntax && (!transferSyntax || context.transferSyntax === transferSyntax),
  );
  if (!found) throw new NoContext('The peer accepted no presentation context for it');
  return found;
};

/** Sends requests one after another over an association that this side has opened. */
export const createRequests = (association: Association) => {
  let lastId = 0;

  const request = async (
    context: Context,
    command: CommandSet,
    dataSet?: AsyncIterable<Uint8Array>,
  ): Promise<Response> => {
    lastId = (lastId + 1) & 0xffff;
    await association.send(context.id, { ...command, messageId: lastId }, dataSet);
    const message = await association.receive();
    const answer = message?.command;
    if (answer?.commandField !== responseFieldOf(command) || answer.respondedMessageId !== lastId) {
      association.abort();
      throw new AssociationError('aborted', 'The peer did not answer the request');
    }
    return { status: answer.status ?? statuses.processingFailure, errorComment: answer.errorComment ?? null };
  };

  return {
    /** Verifies that the peer answers (C-ECHO). @throws NoContext, AssociationError */
    echo: async (sopClassUid: string): Promise<Response> =>
      request(contextFor(association, sopClassUid), {
        commandField: commandFields.echoRequest,
        affectedSopClassUid: sopClassUid,
      }),
    /** Stores an object at the peer (C-STORE), byte for byte. @throws NoContext, AssociationError, errors of the data set */
    store: async (
      { sopClassUid, sopInstanceUid, transferSyntaxUid, dataSet }: SentObject,
      origin: MoveOrigin = {},
    ): Promise<Response> =>
      request(
        contextFor(association, sopClassUid, transferSyntaxUid),
        {
          commandField: commandFields.storeRequest,
          affectedSopClassUid: sopClassUid,
          affectedSopInstanceUid: sopInstanceUid,
          priority: medium,
          ...origin,
        },
        dataSet,
      ),
  };
};
