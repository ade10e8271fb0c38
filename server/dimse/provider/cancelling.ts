import type { Association } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { commandFields, type Message } from '../message/message.ts';

/** Returns whether a message cancels the request (C-CANCEL). Anything else has to wait for the response: the association is aborted. @throws AssociationError */
export const cancels = (association: Association, next: Message | null, { command }: Message): boolean => {
  if (next?.command.commandField === commandFields.cancelRequest)
    return next.command.respondedMessageId === command.messageId;
  association.abort();
  throw new AssociationError('aborted', 'The peer did not wait for the response');
};

/** Returns whether the peer has cancelled the request by now. Does not wait for the peer. @throws AssociationError */
export const isCancelled = async (association: Association, request: Message): Promise<boolean> => {
  while (association.hasInput()) if (cancels(association, await association.receive(), request)) return true;
  return false;
};
