import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import type { Kysely } from 'kysely';
import { isDatabaseUnavailable } from '../../db/database-unavailable.ts';
import type { Schema } from '../../db/schema.ts';
import {
  claimCommitmentRequest,
  endCommitmentRequest,
  postponeCommitmentRequest,
  type WaitingRequest,
} from '../../db/stores/commitment-requests.ts';
import { dicomDeviceById } from '../../db/stores/dicom-devices.ts';
import { AssociationError } from '../../dimse/association/association-error.ts';
import { type LinkLimits, usualLimits } from '../../dimse/association/link.ts';
import { commitmentFailures } from '../../dimse/message/commitment.ts';
import { statuses } from '../../dimse/message/message.ts';
import { commitmentContexts, reportingRole } from '../../dimse/user/commitment.ts';
import { type Node, openAssociation } from '../../dimse/user/open-association.ts';
import { NoContext } from '../../dimse/user/requests.ts';
import { type JobRunner, startJobRunner } from '../../jobs/job-runner.ts';
import { nodeOf } from '../node-of.ts';
import { sameAssociationSeconds } from './archive-commitments.ts';
import { type CommitmentState, committedObjects } from './committed-objects.ts';
import { sendReport } from './send-report.ts';

/** How an attempt or request ended; `failed` is tried again. */
export interface ReportOutcome {
  readonly deviceId: string;
  readonly result: 'reported' | 'failed' | 'given-up' | 'no-port' | 'removed';
  readonly committed?: number;
  readonly failed?: number;
}

export interface ReportOptions {
  readonly db: Kysely<Schema>;
  readonly aeTitle: string;
  /** For devices that are called by TLS. */
  readonly tls: ConnectionOptions;
  readonly onOutcome: (outcome: ReportOutcome) => void;
  readonly onFailure: (error: unknown) => void;
  /** Before each further attempt; the last one repeats. */
  readonly retrySeconds?: readonly number[];
  readonly limits?: LinkLimits;
  /** Longer than an attempt lasts. */
  readonly leaseSeconds?: number;
  readonly times?: {
    readonly waitSeconds: number;
    readonly giveUpSeconds: number;
    readonly sameAssociationSeconds: number;
  };
}

const day = 86_400;
const usualRetrySeconds = [10, 60, 300, 900, 3_600] as const;
/** A weekend may pass before a user decides; after that, waiting objects are reported as failed. */
const usualTimes = { waitSeconds: 4 * day, giveUpSeconds: 7 * day, sameAssociationSeconds };
const parallel = 2;
const pollSeconds = 1;

/** Objects that wait are looked at often at first, and then each ten minutes. */
const checkSeconds = ({ ageSeconds }: WaitingRequest): number => Math.min(Math.max(ageSeconds / 10, 1), 600);

const withoutWaiting = ({ committed, failed, waiting }: CommitmentState): CommitmentState => ({
  committed,
  failed: [...failed, ...waiting.map((one) => ({ ...one, reason: commitmentFailures.processingFailure }))],
  waiting: [],
});

const isOfDevice = (error: unknown): boolean => error instanceof AssociationError || error instanceof NoContext;

/** Reports to devices what the archive has committed to, each report on an association of its own, until the device has it. */
export const startCommitmentReports = (options: ReportOptions): Pick<JobRunner, 'close'> => {
  const { db, aeTitle, tls, onOutcome, onFailure } = options;
  const { retrySeconds = usualRetrySeconds, limits = usualLimits, leaseSeconds = 180, times = usualTimes } = options;
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const closing = new AbortController();

  const report = async (node: Node, request: WaitingRequest, state: CommitmentState): Promise<boolean> => {
    try {
      const association = await openAssociation(
        node,
        aeTitle,
        commitmentContexts,
        limits,
        [reportingRole],
        closing.signal,
      );
      try {
        const status = await sendReport(association, request.transaction_uid, aeTitle, state);
        await association.release().catch(() => undefined);
        return status === statuses.success;
      } finally {
        association.abort();
      }
    } catch (error) {
      if (!isOfDevice(error)) throw error;
      return false;
    }
  };

  const postpone = (request: WaitingRequest, seconds: number, failed = false) =>
    postponeCommitmentRequest(db, { id: request.id, owner }, { seconds, failed });

  const end = async (request: WaitingRequest, outcome: Omit<ReportOutcome, 'deviceId'>) => {
    await endCommitmentRequest(db, { id: request.id, owner });
    onOutcome({ deviceId: request.device_id, ...outcome });
  };

  const work = async (request: WaitingRequest): Promise<void> => {
    const { customer_id: customerId, device_id: deviceId, tries, ageSeconds } = request;
    const device = await dicomDeviceById(db, { customerId, id: deviceId });
    if (!device) return end(request, { result: 'removed' });
    const node = nodeOf(device, tls);
    if (!node)
      // Only on the association of the request a report can reach it.
      return tries > 0 || ageSeconds > times.sameAssociationSeconds
        ? end(request, { result: 'no-port' })
        : postpone(request, 1);
    if (ageSeconds > times.giveUpSeconds) return end(request, { result: 'given-up' });
    const found = await committedObjects(db, request);
    if (found.waiting.length > 0 && ageSeconds < times.waitSeconds) return postpone(request, checkSeconds(request));
    const state = withoutWaiting(found);
    const counts = { committed: state.committed.length, failed: state.failed.length };
    if (await report(node, request, state)) return end(request, { result: 'reported', ...counts });
    if (closing.signal.aborted) return postpone(request, 0);
    onOutcome({ deviceId, result: 'failed', ...counts });
    await postpone(request, retrySeconds[Math.min(tries, retrySeconds.length - 1)] ?? 0, true);
  };

  const runner = startJobRunner({
    parallel,
    pollSeconds,
    workOne: async () => {
      if (closing.signal.aborted) return false;
      const request = await claimCommitmentRequest(db, owner, leaseSeconds);
      // After an error the lease is kept until it expires, so a lasting error causes no busy loop.
      if (request) await work(request);
      return request !== undefined;
    },
    onFailure: (error) => {
      if (!isDatabaseUnavailable(error)) onFailure(error);
    },
  });

  return {
    close: async () => {
      closing.abort(new Error('the process is closing'));
      await runner.close();
    },
  };
};
