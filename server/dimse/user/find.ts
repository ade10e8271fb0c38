import type { DataSet } from '../../../dicom/data-set.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import type { Association, Context } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { commandFields, type Message, responseFieldOf, statuses } from '../message/message.ts';
import { readIdentifier } from '../provider/identifier.ts';
import { RequestRefused } from '../provider/services.ts';
import { NoContext } from './requests.ts';

/** Thrown when the peer ends a query or retrieval with a failure. The message holds no patient data. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
  readonly status: number;

  constructor(status: number) {
    super(`The peer failed with status ${status.toString(16)}`);
    this.status = status;
  }
}

export interface FoundMatches<Match> {
  readonly matches: readonly Match[];
  /** False when the peer has more. */
  readonly isComplete: boolean;
}

interface Query<Match> {
  readonly sopClassUid: string;
  /** Encodes the identifier, in explicit or implicit VR. */
  readonly identifierOf: (explicitVr: boolean) => Buffer;
  readonly read: (match: DataSet) => Match;
  /** Matches after which the query is cancelled. */
  readonly atMost: number;
}

const medium = 0;
/** Responses that a peer may still have under way when it is asked to stop. */
const afterCancel = 1_000;

const isPending = (status: number): boolean => status === statuses.pending || status === statuses.pendingWithoutKeys;

/** Returns the context of an abstract syntax. @throws NoContext */
export const contextOfClass = ({ contexts }: Association, abstractSyntax: string): Context => {
  const found = [...contexts.values()].find((context) => context.abstractSyntax === abstractSyntax);
  if (!found) throw new NoContext('The peer accepted no presentation context for it');
  return found;
};

/** Sends bytes as one piece. */
export async function* oncePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const matchOf = async (association: Association, message: Message): Promise<DataSet> => {
  try {
    return await readIdentifier(association, message);
  } catch (error) {
    if (error instanceof RequestRefused) throw new QueryFailed(error.status);
    throw error;
  }
};

/** Sends queries (C-FIND, PS3.4 C.4.1) one after another over an association that this side has opened. */
export const createQueries = (association: Association) => {
  let lastId = 0;

  const responseTo = async (messageId: number): Promise<Message> => {
    const message = await association.receive();
    const { commandField, respondedMessageId } = message?.command ?? {};
    const expected = responseFieldOf({ commandField: commandFields.findRequest });
    if (message && commandField === expected && respondedMessageId === messageId) return message;
    association.abort();
    throw new AssociationError('aborted', 'The peer did not answer the query');
  };

  /** Skips what the peer sends until it has stopped. */
  const cancel = async (context: Context, messageId: number): Promise<void> => {
    const command = { commandField: commandFields.cancelRequest, respondedMessageId: messageId };
    await association.send(context.id, command);
    for (let responses = 0; responses < afterCancel; responses += 1) {
      const { command: answer } = await responseTo(messageId);
      if (!isPending(answer.status ?? statuses.processingFailure)) return;
    }
    association.abort();
    throw new AssociationError('aborted', 'The peer did not cancel the query');
  };

  return {
    /** Returns the first matches, and cancels the query (C-CANCEL) when there are more. @throws NoContext, QueryFailed, AssociationError */
    find: async <Match>({ sopClassUid, identifierOf, read, atMost }: Query<Match>): Promise<FoundMatches<Match>> => {
      const context = contextOfClass(association, sopClassUid);
      lastId += 1;
      const messageId = lastId;
      const command = {
        commandField: commandFields.findRequest,
        affectedSopClassUid: sopClassUid,
        messageId,
        priority: medium,
      };
      const explicitVr = context.transferSyntax === transferSyntaxes.explicitLittleEndian;
      await association.send(context.id, command, oncePiece(identifierOf(explicitVr)));
      const matches: Match[] = [];
      for (;;) {
        const message = await responseTo(messageId);
        const status = message.command.status ?? statuses.processingFailure;
        if (!isPending(status)) {
          if (status !== statuses.success) throw new QueryFailed(status);
          return { matches, isComplete: true };
        }
        if (matches.length === atMost) {
          await cancel(context, messageId);
          return { matches, isComplete: false };
        }
        matches.push(read(await matchOf(association, message)));
      }
    },
  };
};
