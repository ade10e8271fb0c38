import type { Association } from '../association/association.ts';
import { commandFields, isResponse, type Message, responseFieldOf, statuses } from '../message/message.ts';

/** Answers one message. What it throws ends the association. */
export type Service = (association: Association, message: Message) => Promise<void>;

/** Services by command field. */
export type Services = Readonly<Record<number, Service>>;

/** Sends the response to a message. */
export const respond = (
  association: Association,
  { contextId, command }: Message,
  status: number,
  errorComment?: string,
): Promise<void> =>
  association.send(contextId, {
    commandField: responseFieldOf(command),
    respondedMessageId: command.messageId ?? 0,
    status,
    ...(command.affectedSopClassUid ? { affectedSopClassUid: command.affectedSopClassUid } : {}),
    ...(command.affectedSopInstanceUid ? { affectedSopInstanceUid: command.affectedSopInstanceUid } : {}),
    ...(errorComment ? { errorComment: errorComment.slice(0, 64) } : {}),
  });

/** Answers C-ECHO. */
export const echoService: Service = (association, message) => respond(association, message, statuses.success);

const unknownService: Service = (association, message) =>
  respond(association, message, statuses.unrecognizedOperation, 'This operation is not supported');

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
