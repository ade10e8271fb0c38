import type { DataSet } from '../../../dicom/data-set.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { tags } from '../../../dicom/tags.ts';
import type { Association } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import type { CommandSet } from '../message/command-set.ts';
import {
  commitmentEvents,
  type ObjectReference,
  referencesIn,
  requestCommitment,
  storageCommitment,
  storageCommitmentInstance,
  transactionIn,
} from '../message/commitment.ts';
import { type Message, statuses } from '../message/message.ts';
import { readIdentifier } from './identifier.ts';
import { RequestRefused, respond, type Service } from './services.ts';

/** Objects of which a device asks whether the archive has them for good. */
export interface CommitmentRequest {
  readonly transactionUid: string;
  readonly objects: readonly ObjectReference[];
}

/** What a device reports of objects that it was sent. */
export interface CommitmentReport {
  readonly transactionUid: string;
  readonly committed: readonly ObjectReference[];
  readonly failed: readonly ObjectReference[];
}

/** Objects that a request may name. */
const maxObjects = 10_000;
const maxAttributeBytes = 4 << 20;

/** @throws RequestRefused with a status of N-services (PS3.7 annex C) */
const attributesOf = async (association: Association, message: Message): Promise<DataSet> => {
  try {
    return await readIdentifier(association, message, maxAttributeBytes);
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    const isLong = error.status === statuses.outOfResources;
    throw new RequestRefused(isLong ? statuses.resourceLimitation : statuses.invalidArgumentValue, error.message);
  }
};

/** @throws RequestRefused */
const objectsIn = (attributes: DataSet, sequence: number): readonly ObjectReference[] => {
  try {
    const objects = referencesIn(attributes, sequence);
    if (objects) return objects;
  } catch (problem) {
    if (!(problem instanceof DicomProblem)) throw problem;
  }
  throw new RequestRefused(statuses.invalidArgumentValue, 'A UID of an object is missing or malformed');
};

/** @throws RequestRefused */
const transactionOf = (attributes: DataSet): string => {
  const uid = transactionIn(attributes);
  if (uid === null) throw new RequestRefused(statuses.invalidArgumentValue, 'The Transaction UID is missing');
  return uid;
};

/** @throws RequestRefused */
const requestIn = (attributes: DataSet): CommitmentRequest => {
  const transactionUid = transactionOf(attributes);
  const objects = objectsIn(attributes, tags.referencedSopSequence);
  if (objects.length === 0) throw new RequestRefused(statuses.invalidArgumentValue, 'The request names no object');
  if (objects.length > maxObjects)
    throw new RequestRefused(statuses.resourceLimitation, `The request names more than ${maxObjects} objects`);
  return { transactionUid, objects };
};

/** @throws RequestRefused for another class or instance than the one of storage commitment */
const requireInstance = (
  association: Association,
  { contextId }: Message,
  named: readonly [sopClassUid: string | undefined, sopInstanceUid: string | undefined],
): void => {
  const [sopClassUid, sopInstanceUid] = named;
  if (sopClassUid !== storageCommitment || association.contexts.get(contextId)?.abstractSyntax !== storageCommitment)
    throw new RequestRefused(statuses.noSuchSopClass, 'The SOP class is not that of the context');
  if (sopInstanceUid !== storageCommitmentInstance)
    throw new RequestRefused(statuses.noSuchSopInstance, 'The SOP Instance UID is not the well-known one');
};

/** Names of the response: those of the request. */
const namesOf = (sopClassUid: string | undefined, sopInstanceUid: string | undefined): Partial<CommandSet> => ({
  ...(sopClassUid && { affectedSopClassUid: sopClassUid }),
  ...(sopInstanceUid && { affectedSopInstanceUid: sopInstanceUid }),
});

/** Runs `work` and answers with its status. Returns whether it succeeded. */
const answered = async (
  association: Association,
  message: Message,
  command: Partial<CommandSet>,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<boolean> => {
  const answer = (status: number, errorComment?: string) =>
    respond(association, message, status, { ...(errorComment && { errorComment }), command });
  try {
    await work();
  } catch (error) {
    if (error instanceof AssociationError) throw error;
    if (error instanceof RequestRefused) {
      await answer(error.status, error.message);
      return false;
    }
    onError(error);
    await answer(statuses.processingFailure, 'The archive could not record it');
    return false;
  }
  await answer(statuses.success);
  return true;
};

/**
 * Answers N-ACTION of storage commitment (PS3.4 J.3.2) once `record` has written the request; `recorded` runs after the answer, before the next message.
 */
export const commitmentRequestService =
  (
    record: (request: CommitmentRequest) => Promise<string>,
    recorded: (association: Association, id: string) => Promise<void>,
    onError: (error: unknown) => void,
  ): Service =>
  async (association, message) => {
    const { requestedSopClassUid, requestedSopInstanceUid, actionTypeId } = message.command;
    const names = namesOf(requestedSopClassUid, requestedSopInstanceUid);
    let id = '';
    const work = async () => {
      const attributes = await attributesOf(association, message);
      requireInstance(association, message, [requestedSopClassUid, requestedSopInstanceUid]);
      if (actionTypeId !== requestCommitment)
        throw new RequestRefused(statuses.noSuchActionType, 'The action type is unknown');
      id = await record(requestIn(attributes));
    };
    const command = { ...names, ...(actionTypeId !== undefined && { actionTypeId }) };
    if (await answered(association, message, command, work, onError)) await recorded(association, id);
  };

/** Answers N-EVENT-REPORT of storage commitment (PS3.4 J.3.3), once `record` has written the report. */
export const commitmentReportService =
  (record: (report: CommitmentReport) => Promise<void>, onError: (error: unknown) => void): Service =>
  async (association, message) => {
    const { affectedSopClassUid, affectedSopInstanceUid, eventTypeId } = message.command;
    const work = async () => {
      const attributes = await attributesOf(association, message);
      requireInstance(association, message, [affectedSopClassUid, affectedSopInstanceUid]);
      if (eventTypeId !== commitmentEvents.allCommitted && eventTypeId !== commitmentEvents.someFailed)
        throw new RequestRefused(statuses.noSuchEventType, 'The event type is unknown');
      await record({
        transactionUid: transactionOf(attributes),
        committed: objectsIn(attributes, tags.referencedSopSequence),
        failed: objectsIn(attributes, tags.failedSopSequence),
      });
    };
    await answered(association, message, eventTypeId === undefined ? {} : { eventTypeId }, work, onError);
  };
