import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import { elementHeader } from '../../../dicom/write/elements.ts';
import type { Association, Context } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { isStored, type Message, statuses } from '../message/message.ts';
import { NoContext } from '../user/requests.ts';
import { respond } from './services.ts';

/** An object that a peer fetches. */
export interface FetchedObject {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  /** As it is stored. */
  readonly transferSyntaxUid: string;
  /** Opens its data set in the stored syntax, or in a plain one. @throws NotSendable; errors of the store */
  open(transferSyntaxUid: string): Promise<AsyncIterable<Uint8Array>>;
}

/** Whether an object was sent: the status of the peer. @throws NoContext, NotSendable, AssociationError of the peer that takes it */
export type SendObject = (object: FetchedObject) => Promise<number>;

const { explicitLittleEndian, implicitLittleEndian } = transferSyntaxes;
const plainSyntaxes: readonly string[] = [explicitLittleEndian, implicitLittleEndian];

/** Returns the context in which an object is sent: as it is stored if the peer takes that, else plain. @throws NoContext */
export const contextOf = (
  contexts: Iterable<Context>,
  { sopClassUid, transferSyntaxUid }: Pick<FetchedObject, 'sopClassUid' | 'transferSyntaxUid'>,
): Context => {
  const ofClass = [...contexts].filter(({ abstractSyntax }) => abstractSyntax === sopClassUid);
  for (const syntax of [transferSyntaxUid, ...plainSyntaxes]) {
    const found = ofClass.find(({ transferSyntax }) => transferSyntax === syntax);
    if (found) return found;
  }
  throw new NoContext('The peer accepted no presentation context for it');
};

const failedSopInstanceUids = 0x00080058;

/** The identifier of the last response names the objects that failed (PS3.4 C.4.2.1.4.2). */
const failedIdentifier = (uids: readonly string[], explicitVr: boolean): Buffer => {
  // Its length is of 16 bits in explicit VR.
  const kept = uids.slice(0, 900).join('\\');
  const value = Buffer.from(kept.length % 2 === 0 ? kept : `${kept}\0`, 'latin1');
  const header = elementHeader(failedSopInstanceUids, 'UI', value.length, { explicitVr, littleEndian: true }, 'UIDs');
  return Buffer.concat([header, value]);
};

interface Progress {
  remaining: number;
  completed: number;
  warning: number;
  readonly failed: string[];
}

const countsOf = ({ completed, warning, failed }: Progress) => ({
  completedSuboperations: completed,
  failedSuboperations: failed.length,
  warningSuboperations: warning,
});

const note = (progress: Progress, uid: string, status: number): void => {
  progress.remaining -= 1;
  if (status === statuses.success) progress.completed += 1;
  else if (isStored(status)) progress.warning += 1;
  else progress.failed.push(uid);
};

const lastStatus = ({ failed, completed, warning }: Progress): number => {
  if (failed.length === 0) return statuses.success;
  return completed + warning === 0 ? statuses.subOperationsImpossible : statuses.subOperationsFailed;
};

interface SubOperations {
  readonly objects: readonly FetchedObject[];
  readonly send: SendObject;
  /** Whether the peer has cancelled the request. */
  readonly isCancelled: () => Promise<boolean>;
  /** Learns why an object was not sent, unless the peer took none of its kind. */
  readonly onError: (error: unknown) => void;
}

/** Sends objects one after another for a C-MOVE or C-GET, and reports the progress after each. @throws AssociationError of the requestor */
export const runSubOperations = async (
  association: Association,
  message: Message,
  { objects, send, isCancelled, onError }: SubOperations,
): Promise<void> => {
  const progress: Progress = { remaining: objects.length, completed: 0, warning: 0, failed: [] };
  const explicitVr = association.contexts.get(message.contextId)?.transferSyntax === explicitLittleEndian;
  const finish = (status: number, more: object = {}) => {
    const dataSet = progress.failed.length > 0 ? { dataSet: failedIdentifier(progress.failed, explicitVr) } : {};
    return respond(association, message, status, { command: { ...countsOf(progress), ...more }, ...dataSet });
  };
  for (const object of objects) {
    if (await isCancelled()) return finish(statuses.cancelled, { remainingSuboperations: progress.remaining });
    const status = await send(object).catch((error) => {
      if (error instanceof AssociationError && association.hasEnded()) throw error;
      if (!(error instanceof NoContext)) onError(error);
      return statuses.processingFailure;
    });
    note(progress, object.sopInstanceUid, status);
    if (progress.remaining === 0) break;
    const command = { ...countsOf(progress), remainingSuboperations: progress.remaining };
    await respond(association, message, statuses.pending, { command });
  }
  await finish(lastStatus(progress));
};
