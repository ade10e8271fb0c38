import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import {
  type CommitmentRequestRow,
  instancesOf,
  type SentState,
  type StoredInstance,
  sentBy,
} from '../../db/stores/commitment-requests.ts';
import { commitmentFailures, type ObjectReference } from '../../dimse/message/commitment.ts';
import type { FailedReference } from './commitment-json.ts';

export interface CommitmentState {
  readonly committed: readonly ObjectReference[];
  readonly failed: readonly FailedReference[];
  /** In imports that have not ended: a user may still discard them. */
  readonly waiting: readonly ObjectReference[];
}

const { noSuchObject, classInstanceConflict, processingFailure } = commitmentFailures;

type Judgement = 'committed' | 'waiting' | number;

const judge = (
  { sopClassUid }: ObjectReference,
  stored: StoredInstance | undefined,
  sent: SentState | undefined,
): Judgement => {
  if (sent === 'waits') return 'waiting';
  if (!stored) return sent === 'known' ? 'waiting' : noSuchObject;
  if (stored.sopClassUid !== sopClassUid) return classInstanceConflict;
  // What the device sent has other bytes than what the clinic has, or its file is damaged.
  return sent === 'rejected' || !stored.isIntact ? processingFailure : 'committed';
};

/** Returns which of the objects the clinic has for good: its images, in intact files, of which the device has sent no other bytes. */
export const committedObjects = async (
  db: Kysely<Schema>,
  { customer_id: customerId, device_id: deviceId, objects }: CommitmentRequestRow,
): Promise<CommitmentState> => {
  const uids = objects.map(([, uid]) => uid);
  const stored = new Map((await instancesOf(db, customerId, uids)).map((one) => [one.sopInstanceUid, one]));
  const sent = await sentBy(db, { customerId, deviceId }, uids);
  const judged = objects.map(([sopClassUid, sopInstanceUid]) => {
    const reference = { sopClassUid, sopInstanceUid };
    return { reference, judgement: judge(reference, stored.get(sopInstanceUid), sent.get(sopInstanceUid)) };
  });
  return {
    committed: judged.flatMap(({ reference, judgement }) => (judgement === 'committed' ? [reference] : [])),
    waiting: judged.flatMap(({ reference, judgement }) => (judgement === 'waiting' ? [reference] : [])),
    failed: judged.flatMap(({ reference, judgement }) =>
      typeof judgement === 'number' ? [{ ...reference, reason: judgement }] : [],
    ),
  };
};
