import { Readable } from 'node:stream';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import type { Association, Context } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import type { CommandSet } from '../message/command-set.ts';
import { requestCommitment, storageCommitment, storageCommitmentInstance } from '../message/commitment.ts';
import { commandFields, responseFieldOf, statuses } from '../message/message.ts';
import { NoContext } from './requests.ts';

export const commitmentContexts = [
  {
    id: 1,
    abstractSyntax: storageCommitment,
    transferSyntaxes: [transferSyntaxes.explicitLittleEndian, transferSyntaxes.implicitLittleEndian],
  },
];

/** Of a requestor that reports: it is the provider, not the user (PS3.4 J.3.3). */
export const reportingRole = { sopClassUid: storageCommitment, isUser: false, isProvider: true } as const;

/** Encodes a data set for a context. */
type Encode = (explicitVr: boolean) => Buffer;

/** Returns the context of storage commitment. @throws NoContext */
export const commitmentContext = ({ contexts }: Association): Context => {
  const found = [...contexts.values()].find(({ abstractSyntax }) => abstractSyntax === storageCommitment);
  if (!found) throw new NoContext('The peer accepted no presentation context for it');
  return found;
};

const ask = async (association: Association, command: CommandSet, encode: Encode): Promise<number> => {
  const context = commitmentContext(association);
  const dataSet = encode(context.transferSyntax === transferSyntaxes.explicitLittleEndian);
  const messageId = 1;
  await association.send(context.id, { ...command, messageId }, Readable.from([dataSet]));
  const answer = (await association.receive())?.command;
  if (answer?.commandField !== responseFieldOf(command) || answer.respondedMessageId !== messageId) {
    association.abort();
    throw new AssociationError('aborted', 'The peer did not answer the request');
  }
  return answer.status ?? statuses.processingFailure;
};

/** Asks a peer to commit to objects (N-ACTION). Returns its status. @throws NoContext, AssociationError */
export const askForCommitment = (association: Association, encode: Encode): Promise<number> =>
  ask(
    association,
    {
      commandField: commandFields.actionRequest,
      requestedSopClassUid: storageCommitment,
      requestedSopInstanceUid: storageCommitmentInstance,
      actionTypeId: requestCommitment,
    },
    encode,
  );

/** Reports to a peer what is committed (N-EVENT-REPORT). Returns its status. @throws NoContext, AssociationError */
export const reportCommitment = (association: Association, eventTypeId: number, encode: Encode): Promise<number> =>
  ask(
    association,
    {
      commandField: commandFields.eventReportRequest,
      affectedSopClassUid: storageCommitment,
      affectedSopInstanceUid: storageCommitmentInstance,
      eventTypeId,
    },
    encode,
  );
