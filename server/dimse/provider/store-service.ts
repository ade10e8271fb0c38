import type { Association } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { type Message, statuses } from '../message/message.ts';
import { type DataSetUids, watchUids } from './data-set-uids.ts';
import { type IncomingObject, type OpenSink, StoreRefused } from './object-sink.ts';
import { receivedFileMeta } from './received-file-meta.ts';
import { respond, type Service } from './services.ts';
import { isStorageClass } from './supported-syntaxes.ts';

const isUid = (text: string): boolean => /^\d+(\.\d+)*$/.test(text);

const objectOf = (association: Association, { contextId, command, dataSet }: Message): IncomingObject => {
  const { affectedSopClassUid: sopClassUid, affectedSopInstanceUid: sopInstanceUid } = command;
  const context = association.contexts.get(contextId);
  if (!sopClassUid || !sopInstanceUid || !isUid(sopInstanceUid) || !dataSet || !context)
    throw new StoreRefused(statuses.cannotUnderstand, 'A UID or the data set is missing');
  if (sopClassUid !== context.abstractSyntax || !isStorageClass(sopClassUid))
    throw new StoreRefused(statuses.sopClassNotSupported, 'The SOP class is not that of the context');
  const { callingAeTitle, calledAeTitle, address } = association;
  const transferSyntaxUid = context.transferSyntax;
  return { sopClassUid, sopInstanceUid, transferSyntaxUid, callingAeTitle, calledAeTitle, address };
};

const requireSameUids = (object: IncomingObject, uids: DataSetUids | null): DataSetUids => {
  if (!uids) throw new StoreRefused(statuses.cannotUnderstand, 'The data set has no SOP Instance UID');
  if (uids.sopInstanceUid !== object.sopInstanceUid || uids.sopClassUid !== object.sopClassUid)
    throw new StoreRefused(statuses.dataSetDoesNotMatch, 'The UIDs differ from those of the command');
  return uids;
};

const storeObject = async (object: IncomingObject, dataSet: AsyncIterable<Buffer>, openSink: OpenSink) => {
  const sink = await openSink(object);
  try {
    for (const part of receivedFileMeta(object)) await sink.write(part);
    const uids = watchUids(object.transferSyntaxUid);
    for await (const chunk of dataSet) {
      uids.add(chunk);
      await sink.write(chunk);
    }
    await sink.commit(requireSameUids(object, uids.found()));
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
      if (error instanceof StoreRefused)
        return respond(association, message, error.status, { errorComment: error.message });
      onError(error);
      return respond(association, message, statuses.processingFailure, {
        errorComment: 'The archive could not store the object',
      });
    }
    await respond(association, message, statuses.success);
  };
