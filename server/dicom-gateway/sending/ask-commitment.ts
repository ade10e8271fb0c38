import { setTimeout as delay } from 'node:timers/promises';
import type { Association } from '../../dimse/association/association.ts';
import type { ObjectReference } from '../../dimse/message/commitment.ts';
import { commandFields, type Message, statuses } from '../../dimse/message/message.ts';
import { type CommitmentReport, commitmentReportService } from '../../dimse/provider/commitment-services.ts';
import { askForCommitment } from '../../dimse/user/commitment.ts';
import { commitmentJson } from '../commitment/commitment-json.ts';
import { encodeIdentifier } from '../encode-identifier.ts';

/** As long the association is kept for devices that report on it; most open another one. */
const keepMs = 5_000;
const checkMs = 50;

interface Asking {
  readonly transactionUid: string;
  readonly objects: readonly ObjectReference[];
  readonly record: (report: CommitmentReport) => Promise<void>;
  readonly onAnswer: (isAccepted: boolean) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const nextMessage = async (association: Association): Promise<Message | null> => {
  const until = Date.now() + keepMs;
  while (Date.now() < until && !association.hasEnded()) {
    if (association.hasInput()) return association.receive();
    await delay(checkMs);
  }
  return null;
};

/** Asks a device whether it has objects for good, and records its report if it comes on the same association. @throws NoContext, AssociationError */
export const askCommitment = async (
  association: Association,
  { transactionUid, objects, record, onAnswer, onError }: Asking,
): Promise<void> => {
  const status = await askForCommitment(association, (explicitVr) =>
    encodeIdentifier(commitmentJson(transactionUid, objects), explicitVr),
  );
  await onAnswer(status === statuses.success);
  const message = status === statuses.success ? await nextMessage(association) : null;
  if (message?.command.commandField === commandFields.eventReportRequest)
    await commitmentReportService(record, onError)(association, message);
  if (!association.hasEnded()) await association.release();
};
