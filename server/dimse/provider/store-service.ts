import { fileMeta } from '../../../dicom/write/file-meta.ts';
import type { Association } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { type Message, statuses } from '../message/message.ts';
import { watchUids } from './data-set-uids.ts';
import { respond, type Service } from './services.ts';
import { isStorageClass } from './supported-syntaxes.ts';

/** An object that a peer sends, before its data set is read. */
export interface IncomingObject {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  readonly callingAeTitle: string;
  readonly calledAeTitle: string;
  readonly address: string;
}

/** Takes the bytes of one DICOM file: our file meta information, then the data set as it came. Ends with `commit` or `discard`. */
export interface ObjectSink {
  /** Resolves when more can be taken. @throws StoreRefused */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when the object is durable: bytes synced, rows committed. @throws StoreRefused */
  commit(): Promise<void>;
  /** Forgets the object. Never fails. */
  discard(): Promise<void>;
}

/** @throws StoreRefused */
export type OpenSink = (object: IncomingObject) => Promise<ObjectSink>;

/** Thrown when an object cannot be stored: the peer is answered with `status`. The message is sent to it: no patient data. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const objectOf = (association: Association, { contextId, command, dataSet }: Message): IncomingObject => {
  const { affectedSopClassUid: sopClassUid, affectedSopInstanceUid: sopInstanceUid } = command;
  const context = association.contexts.get(contextId);
  if (!sopClassUid || !sopInstanceUid || !dataSet || !context)
    throw new StoreRefused(statuses.cannotUnderstand, 'A UID or the data set is missing');
  if (sopClassUid !== context.abstractSyntax || !isStorageClass(sopClassUid))
    throw new StoreRefused(statuses.sopClassNotSupported, 'The SOP class is not that of the context');
  const { callingAeTitle, calledAeTitle, address } = association;
  const transferSyntaxUid = context.transferSyntax;
  return { sopClassUid, sopInstanceUid, transferSyntaxUid, callingAeTitle, calledAeTitle, address };
};

const ensureSameUids = (object: IncomingObject, uids: ReturnType<ReturnType<typeof watchUids>['found']>): void => {
  if (!uids) throw new StoreRefused(statuses.cannotUnderstand, 'The data set has no SOP Instance UID');
  if (uids.sopInstanceUid !== object.sopInstanceUid || uids.sopClassUid !== object.sopClassUid)
    throw new StoreRefused(statuses.dataSetDoesNotMatch, 'The UIDs differ from those of the command');
};

const storeObject = async (object: IncomingObject, dataSet: AsyncIterable<Buffer>, openSink: OpenSink) => {
  const sink = await openSink(object);
  try {
    const { sopClassUid, sopInstanceUid, transferSyntaxUid, callingAeTitle } = object;
    for (const part of fileMeta(sopClassUid, sopInstanceUid, transferSyntaxUid, callingAeTitle)) await sink.write(part);
    const uids = watchUids(transferSyntaxUid);
    for await (const chunk of dataSet) {
      uids.add(chunk);
      await sink.write(chunk);
    }
    ensureSameUids(object, uids.found());
    await sink.commit();
  } catch (error) {
    await sink.discard();
    throw error;
  }
};

const skip = async (dataSet: AsyncIterable<Buffer> | null): Promise<void> => {
  if (!dataSet) return;
  for await (const _ of dataSet);
};

/**
 * Answers C-STORE (PS3.4 annex B): success only when the sink has committed. `onError` learns of failures that are not the peer's.
 */
export const storeService =
  (openSink: OpenSink, onError: (error: unknown) => void): Service =>
  async (association, message) => {
    try {
      await storeObject(objectOf(association, message), message.dataSet ?? (async function* () {})(), openSink);
    } catch (error) {
      if (error instanceof AssociationError) throw error;
      await skip(message.dataSet);
      if (error instanceof StoreRefused) return respond(association, message, error.status, error.message);
      onError(error);
      return respond(association, message, statuses.processingFailure, 'The archive could not store the object');
    }
    await respond(association, message, statuses.success);
  };
