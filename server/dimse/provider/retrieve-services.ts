import type { DataSet } from '../../../dicom/data-set.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import type { Association } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { commandFields, type Message, statuses } from '../message/message.ts';
import type { ProposedContext } from '../pdu/associate.ts';
import { type Node, openAssociation } from '../user/open-association.ts';
import { createRequests } from '../user/requests.ts';
import { cancels, isCancelled } from './cancelling.ts';
import { readIdentifier } from './identifier.ts';
import { RequestRefused, respond, type Service } from './services.ts';
import { contextOf, type FetchedObject, runSubOperations, type SendObject } from './sub-operations.ts';

/** Where objects are sent that a peer fetches. */
export interface Retrieval {
  /** Returns the destination of C-MOVE. @throws RequestRefused for one that is not known */
  destinationOf(aeTitle: string): Promise<Node>;
  /** Returns what an identifier names. `destination`: the title of C-MOVE; null for C-GET. @throws RequestRefused */
  objectsOf(identifier: DataSet, destination: string | null): Promise<readonly FetchedObject[]>;
  /** Learns of failures that are not the peer's. */
  readonly onError: (error: unknown) => void;
}

/** An association has 128 contexts at most. */
const maxContexts = 128;

/** Proposes each class as its objects are stored and, as a context of its own, plain. */
const contextsFor = (objects: readonly FetchedObject[]): readonly ProposedContext[] => {
  const pairs = new Map<string, Omit<ProposedContext, 'id'>>();
  const plain = [transferSyntaxes.explicitLittleEndian, transferSyntaxes.implicitLittleEndian];
  for (const { sopClassUid: abstractSyntax, transferSyntaxUid } of objects) {
    pairs.set(`${abstractSyntax} ${transferSyntaxUid}`, { abstractSyntax, transferSyntaxes: [transferSyntaxUid] });
    pairs.set(`${abstractSyntax} plain`, { abstractSyntax, transferSyntaxes: plain });
  }
  return [...pairs.values()].slice(0, maxContexts).map((context, index) => ({ ...context, id: index * 2 + 1 }));
};

/** Answers what a retrieval throws. */
const refusing =
  ({ onError }: Retrieval, work: (association: Association, message: Message) => Promise<void>): Service =>
  async (association, message) => {
    try {
      await work(association, message);
    } catch (error) {
      if (error instanceof AssociationError) throw error;
      if (error instanceof RequestRefused)
        return respond(association, message, error.status, { errorComment: error.message });
      onError(error);
      await respond(association, message, statuses.unableToProcess, { errorComment: 'The archive could not send' });
    }
  };

const openDestination = async (node: Node, callingAeTitle: string, objects: readonly FetchedObject[]) => {
  try {
    return await openAssociation(node, callingAeTitle, contextsFor(objects));
  } catch (error) {
    if (!(error instanceof AssociationError)) throw error;
    throw new RequestRefused(statuses.subOperationsImpossible, 'The destination accepts no association');
  }
};

/** Answers C-MOVE (PS3.4 C.4.2): sends the objects over an association with the destination. */
export const moveService = (retrieval: Retrieval): Service =>
  refusing(retrieval, async (association, message) => {
    const { callingAeTitle, calledAeTitle } = association;
    const identifier = await readIdentifier(association, message);
    const { moveDestination = '', messageId = 0 } = message.command;
    const node = await retrieval.destinationOf(moveDestination);
    const objects = await retrieval.objectsOf(identifier, moveDestination);
    const origin = { moveOriginatorAeTitle: callingAeTitle, moveOriginatorMessageId: messageId };
    const run = (send: SendObject) =>
      runSubOperations(association, message, {
        objects,
        send,
        isCancelled: () => isCancelled(association, message),
        onError: retrieval.onError,
      });
    if (objects.length === 0) return run(async () => statuses.success);
    const destination = await openDestination(node, calledAeTitle, objects);
    const { store } = createRequests(destination);
    try {
      await run(async (object) => {
        const { transferSyntax } = contextOf(destination.contexts.values(), object);
        const dataSet = await object.open(transferSyntax);
        const { sopClassUid, sopInstanceUid } = object;
        const sent = { sopClassUid, sopInstanceUid, transferSyntaxUid: transferSyntax, dataSet };
        return (await store(sent, origin)).status;
      });
      await destination.release().catch(() => {});
    } finally {
      destination.abort();
    }
  });

/** Answers C-GET (PS3.4 C.4.3): sends the objects over the association of the request, whose requestor provides their storage. */
export const getService = (retrieval: Retrieval): Service =>
  refusing(retrieval, async (association, message) => {
    const objects = await retrieval.objectsOf(await readIdentifier(association, message), null);
    const contexts = [...association.contexts.values()].filter(({ abstractSyntax }) =>
      association.requestorProvides.has(abstractSyntax),
    );
    let lastId = 0;
    let hasCancelled = false;

    /** Returns the status of the peer, which may cancel before it answers. */
    const statusOf = async (messageId: number): Promise<number> => {
      for (;;) {
        const next = await association.receive();
        const { commandField, respondedMessageId, status } = next?.command ?? {};
        if (commandField === commandFields.storeResponse && respondedMessageId === messageId)
          return status ?? statuses.processingFailure;
        hasCancelled = cancels(association, next, message) || hasCancelled;
      }
    };

    await runSubOperations(association, message, {
      objects,
      send: async (object) => {
        const { id, transferSyntax } = contextOf(contexts, object);
        const dataSet = await object.open(transferSyntax);
        const messageId = (lastId % 0xffff) + 1;
        lastId = messageId;
        const command = {
          commandField: commandFields.storeRequest,
          affectedSopClassUid: object.sopClassUid,
          affectedSopInstanceUid: object.sopInstanceUid,
          priority: 0,
          messageId,
        };
        await association.send(id, command, dataSet);
        return statusOf(messageId);
      },
      isCancelled: async () => hasCancelled || isCancelled(association, message),
      onError: retrieval.onError,
    });
  });
