import { Readable } from 'node:stream';
import type { Association } from '../association/association.ts';
import type { CommandSet } from '../message/command-set.ts';
import { commandFields, isResponse, type Message, responseFieldOf, statuses } from '../message/message.ts';

/** Thrown when a request cannot be fulfilled: the peer is answered with `status`. The message is sent to it: no patient data. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: number;
  /** (0000,0903), where the service defines one. */
  readonly errorId: number | undefined;

  constructor(status: number, message: string, errorId?: number) {
    super(message);
    this.status = status;
    this.errorId = errorId;
  }
}

/** What a response says beyond its status. */
export interface ResponseFacts {
  readonly errorComment?: string;
  readonly command?: Partial<CommandSet>;
  /** In the transfer syntax of the context. */
  readonly dataSet?: Buffer;
}

/** Answers one message. What it throws ends the association. */
export type Service = (association: Association, message: Message) => Promise<void>;

/** Services by command field. */
export type Services = Readonly<Record<number, Service>>;

/** Sends the response to a message. */
export const respond = (
  association: Association,
  { contextId, command }: Message,
  status: number,
  { errorComment, command: more, dataSet }: ResponseFacts = {},
): Promise<void> =>
  association.send(
    contextId,
    {
      ...more,
      commandField: responseFieldOf(command),
      respondedMessageId: command.messageId ?? 0,
      status,
      ...(command.affectedSopClassUid ? { affectedSopClassUid: command.affectedSopClassUid } : {}),
      ...(command.affectedSopInstanceUid ? { affectedSopInstanceUid: command.affectedSopInstanceUid } : {}),
      ...(errorComment ? { errorComment: errorComment.slice(0, 64) } : {}),
    },
    dataSet && Readable.from([dataSet]),
  );

/** Answers C-ECHO. */
export const echoService: Service = (association, message) => respond(association, message, statuses.success);

const unknownService: Service = (association, message) =>
  respond(association, message, statuses.unrecognizedOperation, { errorComment: 'This operation is not supported' });

/** Answers the messages of a peer until it releases the association. @throws AssociationError when it ends otherwise; errors of services */
export const serve = async (association: Association, services: Services): Promise<void> => {
  for (let message = await association.receive(); message; message = await association.receive()) {
    const { command } = message;
    // What was to be cancelled has been answered already.
    if (command.commandField === commandFields.cancelRequest) continue;
    if (isResponse(command)) {
      association.abort();
      return;
    }
    await (services[command.commandField] ?? unknownService)(association, message);
  }
  association.answerRelease();
};
