import type { DataSet } from '../../../dicom/data-set.ts';
import type { Association } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { type Message, statuses } from '../message/message.ts';
import { isCancelled } from './cancelling.ts';
import { readIdentifier } from './identifier.ts';
import { RequestRefused, respond, type Service } from './services.ts';

/** The matches of a query. */
export interface Found {
  /** Whether some keys with a value were not matched. */
  readonly ignoresKeys: boolean;
  /** Identifiers in the transfer syntax of the context. @throws RequestRefused, after those that were returned */
  readonly identifiers: AsyncIterable<Buffer>;
}

/** @throws RequestRefused */
export type Find = (identifier: DataSet, transferSyntaxUid: string) => Promise<Found>;

const answer = async (association: Association, message: Message, find: Find): Promise<number> => {
  const identifier = await readIdentifier(association, message);
  const { transferSyntax = '' } = association.contexts.get(message.contextId) ?? {};
  const { ignoresKeys, identifiers } = await find(identifier, transferSyntax);
  const status = ignoresKeys ? statuses.pendingWithoutKeys : statuses.pending;
  for await (const dataSet of identifiers) {
    if (await isCancelled(association, message)) return statuses.cancelled;
    await respond(association, message, status, { dataSet });
  }
  return statuses.success;
};

/** Answers C-FIND (PS3.4 C.4.1): one response for each match. `onError` learns of failures that are not the peer's. */
export const findService =
  (find: Find, onError: (error: unknown) => void): Service =>
  async (association, message) => {
    try {
      await respond(association, message, await answer(association, message, find));
    } catch (error) {
      if (error instanceof AssociationError) throw error;
      if (error instanceof RequestRefused)
        return respond(association, message, error.status, { errorComment: error.message });
      onError(error);
      await respond(association, message, statuses.unableToProcess, { errorComment: 'The archive could not search' });
    }
  };
