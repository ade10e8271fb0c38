import type { Kysely } from 'kysely';
import { isDatabaseUnavailable } from '../../db/database-unavailable.ts';
import type { Schema } from '../../db/schema.ts';
import { recordCommitment } from '../../db/stores/sending-commitments.ts';
import { statuses } from '../../dimse/message/message.ts';
import type { CommitmentReport } from '../../dimse/provider/commitment-services.ts';
import { RequestRefused } from '../../dimse/provider/services.ts';

/** Records what a device reports of the images that users have sent to it. */
export const deviceReports =
  (db: Kysely<Schema>, deviceId: string) =>
  async ({ transactionUid, committed, failed }: CommitmentReport): Promise<void> => {
    const uids = (objects: CommitmentReport['failed']) => objects.map(({ sopInstanceUid }) => sopInstanceUid);
    try {
      const report = { deviceId, transactionUid, committed: uids(committed), failed: uids(failed) };
      if (await recordCommitment(db, report)) return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      throw new RequestRefused(statuses.processingFailure, 'The database is not available');
    }
    throw new RequestRefused(statuses.invalidArgumentValue, 'The transaction is unknown');
  };
