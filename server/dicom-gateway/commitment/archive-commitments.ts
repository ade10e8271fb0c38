import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { isDatabaseUnavailable } from '../../db/database-unavailable.ts';
import type { Schema } from '../../db/schema.ts';
import {
  claimOneRequest,
  endCommitmentRequest,
  insertCommitmentRequest,
  postponeCommitmentRequest,
} from '../../db/stores/commitment-requests.ts';
import type { DicomDeviceRow } from '../../db/stores/dicom-devices.ts';
import type { Association } from '../../dimse/association/association.ts';
import { statuses } from '../../dimse/message/message.ts';
import type { CommitmentRequest } from '../../dimse/provider/commitment-services.ts';
import { RequestRefused } from '../../dimse/provider/services.ts';
import { committedObjects } from './committed-objects.ts';
import { sendReport } from './send-report.ts';

/** As long as a peer may be silent, its association is kept. */
export const sameAssociationSeconds = 60;
const checkMs = 250;

const refusals = {
  taken: [statuses.invalidArgumentValue, 'The transaction waits with other objects'],
  full: [statuses.resourceLimitation, 'Too many requests wait already'],
} as const;

interface CommitmentDependencies {
  readonly db: Kysely<Schema>;
  readonly aeTitle: string;
  /** A device asks when it has sent its objects, so their imports need not wait for more. */
  readonly finishStoring: () => Promise<void>;
}

/** Records the requests for commitment of a device, and reports to a device without a port while it keeps its association. */
export const archiveCommitments = ({ db, aeTitle, finishStoring }: CommitmentDependencies, device: DicomDeviceRow) => {
  const { id: deviceId, customerId, port } = device;

  const record = async ({ transactionUid, objects }: CommitmentRequest): Promise<string> => {
    try {
      const pairs = objects.map(({ sopClassUid, sopInstanceUid }) => [sopClassUid, sopInstanceUid] as const);
      const result = await db
        .transaction()
        .execute((transaction) =>
          insertCommitmentRequest(transaction, { customerId, deviceId, transactionUid, objects: pairs }),
        );
      if (typeof result === 'object') return result.id;
      const [status, message] = refusals[result];
      throw new RequestRefused(status, message);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      throw new RequestRefused(statuses.processingFailure, 'The database is not available');
    }
  };

  /** Reports once nothing waits any more; stops when the device sends something, or is silent for a minute. */
  const reportOn = async (association: Association, id: string): Promise<void> => {
    const owner = randomUUID();
    const request = await claimOneRequest(db, { id, owner, seconds: 2 * sameAssociationSeconds });
    if (!request) return;
    const until = Date.now() + sameAssociationSeconds * 1_000;
    try {
      while (Date.now() < until && !association.hasInput() && !association.hasEnded()) {
        const state = await committedObjects(db, request);
        if (state.waiting.length > 0) {
          await delay(checkMs);
          continue;
        }
        const status = await sendReport(association, request.transaction_uid, aeTitle, state);
        if (status === statuses.success) await endCommitmentRequest(db, { id, owner });
        return;
      }
    } finally {
      await postponeCommitmentRequest(db, { id, owner }, { seconds: 0, failed: true });
    }
  };

  return {
    record,
    recorded: async (association: Association, id: string): Promise<void> => {
      await finishStoring();
      if (port === null) await reportOn(association, id);
    },
  };
};
