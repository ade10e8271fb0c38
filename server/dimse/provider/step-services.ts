import type { DataSet } from '../../../dicom/data-set.ts';
import type { Association } from '../association/association.ts';
import { AssociationError } from '../association/association-error.ts';
import { type Message, statuses } from '../message/message.ts';
import { readIdentifier } from './identifier.ts';
import { RequestRefused, respond, type Service } from './services.ts';
import { modalityPerformedStep } from './supported-syntaxes.ts';

/** A modality performed procedure step as a device reports it (PS3.4 annex F). */
export interface StepReports {
  /** @throws RequestRefused */
  readonly create: (sopInstanceUid: string, attributes: DataSet) => Promise<void>;
  /** @throws RequestRefused */
  readonly set: (sopInstanceUid: string, attributes: DataSet) => Promise<void>;
}

/** A list of the images of a volume may be long. */
const maxAttributeBytes = 4 << 20;

const isUid = (text: string | undefined): text is string => text !== undefined && /^\d+(\.\d+)*$/.test(text);

const report =
  (
    namesIn: (command: Message['command']) => { sopClassUid: string | undefined; sopInstanceUid: string | undefined },
    handle: (sopInstanceUid: string, attributes: DataSet) => Promise<void>,
    onError: (error: unknown) => void,
  ): Service =>
  async (association: Association, message: Message) => {
    const { sopClassUid, sopInstanceUid } = namesIn(message.command);
    const names = {
      ...(sopClassUid && { affectedSopClassUid: sopClassUid }),
      ...(sopInstanceUid && { affectedSopInstanceUid: sopInstanceUid }),
    };
    const answer = (status: number, errorComment?: string, errorId?: number) =>
      respond(association, message, status, {
        ...(errorComment && { errorComment }),
        command: { ...names, ...(errorId !== undefined && { errorId }) },
      });
    try {
      const attributes = await readIdentifier(association, message, maxAttributeBytes);
      const context = association.contexts.get(message.contextId);
      if (sopClassUid !== modalityPerformedStep || context?.abstractSyntax !== modalityPerformedStep)
        throw new RequestRefused(statuses.noSuchSopClass, 'The SOP class is not that of the context');
      if (!isUid(sopInstanceUid))
        throw new RequestRefused(statuses.invalidObjectInstance, 'The SOP Instance UID is missing');
      await handle(sopInstanceUid, attributes);
    } catch (error) {
      if (error instanceof AssociationError) throw error;
      if (error instanceof RequestRefused) return answer(error.status, error.message, error.errorId);
      onError(error);
      return answer(statuses.processingFailure, 'The archive could not record the step');
    }
    await answer(statuses.success);
  };

/** Answers N-CREATE of a performed procedure step. `onError` learns of failures that are not the peer's. */
export const createStepService = ({ create }: StepReports, onError: (error: unknown) => void): Service =>
  report(
    ({ affectedSopClassUid, affectedSopInstanceUid }) => ({
      sopClassUid: affectedSopClassUid,
      sopInstanceUid: affectedSopInstanceUid,
    }),
    create,
    onError,
  );

/** Answers N-SET of a performed procedure step. `onError` learns of failures that are not the peer's. */
export const setStepService = ({ set }: StepReports, onError: (error: unknown) => void): Service =>
  report(
    ({ requestedSopClassUid, requestedSopInstanceUid }) => ({
      sopClassUid: requestedSopClassUid,
      sopInstanceUid: requestedSopInstanceUid,
    }),
    set,
    onError,
  );
