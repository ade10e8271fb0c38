import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import type { Kysely } from 'kysely';
import type { FetchFailure } from '../../../contract/dicom-fetches.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import { isDatabaseUnavailable } from '../../db/database-unavailable.ts';
import type { Schema } from '../../db/schema.ts';
import { dicomDeviceById } from '../../db/stores/dicom-devices.ts';
import { endFetch, fetchLeases, noteStudyOutcome, openStudies } from '../../db/stores/dicom-fetch-work.ts';
import type { DicomFetchRow } from '../../db/stores/dicom-fetches.ts';
import { findPatient } from '../../db/stores/patients.ts';
import { AssociationError } from '../../dimse/association/association-error.ts';
import { type LinkLimits, usualLimits } from '../../dimse/association/link.ts';
import { statuses } from '../../dimse/message/message.ts';
import { StoreRefused } from '../../dimse/provider/object-sink.ts';
import { QueryFailed } from '../../dimse/user/find.ts';
import { moveContexts } from '../../dimse/user/move.ts';
import { AssociationRejected, type Node, openAssociation } from '../../dimse/user/open-association.ts';
import { NoContext } from '../../dimse/user/requests.ts';
import { type JobRunner, startJobRunner } from '../../jobs/job-runner.ts';
import { workUnderLease } from '../../jobs/leased-work.ts';
import type { FileStore } from '../../storage/file-store.ts';
import type { FailedAttempt } from '../failed-attempt.ts';
import { NotAllowed, requireAllowed } from '../may-transfer.ts';
import { nodeOf } from '../node-of.ts';
import { openUntilAborted } from '../open-until-aborted.ts';
import { fetchStudy } from './fetch-study.ts';
import { judgeFetched } from './judge-fetched.ts';
import { NotDelivered } from './move-images.ts';

export interface FetchingOptions {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly accessLog: AccessLog;
  /** False while the folder of files is missing: nothing is fetched then. */
  readonly isAvailable: () => boolean;
  readonly aeTitle: string;
  /** For devices that are called by TLS. */
  readonly tls: ConnectionOptions;
  readonly maxObjectBytes: number;
  readonly filesPerImport: number;
  /** An import has work. */
  readonly wakeImports: () => void;
  readonly onFailure: (error: unknown) => void;
  /** Learns of each failed attempt. */
  readonly onAttemptFailed: (attempt: FailedAttempt) => void;
  /** Before each further attempt; after as many without any image fetched the fetch has failed. */
  readonly retrySeconds?: readonly number[];
  readonly leaseSeconds?: number;
  readonly limits?: LinkLimits;
}

const usualRetrySeconds = [5, 30, 120, 300] as const;
/** Fetches at once; one goes over one association. */
const parallel = 2;
const pollSeconds = 1;
/** Between two looks at imports that are read. */
const readingMs = 300;
/** `result` of a rejection that is permanent (PS3.8 9.3.4). */
const permanent = 1;

/** A device need not report the progress of C-MOVE: it is silent while it sends large images. */
export const silenceOfMoves = 10;

const lasting: readonly FetchFailure[] = [
  'rejected',
  'not-supported',
  'destination-unknown',
  'refused',
  'removed',
  'not-allowed',
];

/** Returns why nothing more came; null when it is neither the device nor the space. */
const failureOf = (error: unknown): FetchFailure | null => {
  if (error instanceof NotAllowed) return 'not-allowed';
  if (error instanceof AssociationRejected) return error.rejection.result === permanent ? 'rejected' : 'busy';
  if (error instanceof AssociationError) return 'unreachable';
  if (error instanceof NoContext) return 'not-supported';
  if (error instanceof NotDelivered) return 'not-delivered';
  if (error instanceof QueryFailed && error.status === statuses.destinationUnknown) return 'destination-unknown';
  if (error instanceof QueryFailed) return (error.status & 0xff00) === statuses.outOfResources ? 'busy' : 'refused';
  return error instanceof StoreRefused ? 'full' : null;
};

/** Fetches studies from devices into patients, whichever node was asked to; those of a node that was killed are continued when its lease has expired. */
export const startFetching = (options: FetchingOptions): Pick<JobRunner, 'close'> => {
  const { db, isAvailable, aeTitle, tls, wakeImports, onFailure, onAttemptFailed } = options;
  const { retrySeconds = usualRetrySeconds, leaseSeconds = 15, limits = usualLimits } = options;
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const closing = new AbortController();

  /** Waits until an import is read, and confirms it or leaves it to a user. */
  const settleImport = async (fetch: DicomFetchRow, study: Parameters<typeof judgeFetched>[3], signal: AbortSignal) => {
    for (;;) {
      signal.throwIfAborted();
      await requireAllowed(db, fetch, 'disable.new_study');
      const judgement = await judgeFetched(db, fetch, owner, study);
      if (judgement) {
        await noteStudyOutcome(db, study, judgement);
        wakeImports();
        return;
      }
      await wait(readingMs, undefined, { signal });
    }
  };

  const attempt = async (fetch: DicomFetchRow, node: Node, deviceName: string, signal: AbortSignal) => {
    const openNode = openUntilAborted(node, { aeTitle, limits, signal });
    const open: typeof openNode = async (...proposal) => {
      await requireAllowed(db, fetch, 'disable.new_study');
      return openNode(...proposal);
    };
    const moveLimits = { ...limits, peerTimeoutMs: limits.peerTimeoutMs * silenceOfMoves };
    const openForMoves = async () => {
      await requireAllowed(db, fetch, 'disable.new_study');
      return openAssociation(node, aeTitle, moveContexts, moveLimits, [], signal);
    };
    const failedTries = () => fetchLeases.failedTries(db, fetch.id);
    for (const study of await openStudies(db, fetch.id)) {
      const fetched = await fetchStudy(
        {
          ...options,
          fetch,
          owner,
          deviceName,
          open,
          openForMoves,
          failedTries,
          mostTries: retrySeconds.length,
          onError: onFailure,
          signal,
        },
        study,
      );
      if (!fetched) continue;
      wakeImports();
      await settleImport(fetch, fetched, signal);
    }
  };

  const settle = async ({ id, device_id: deviceId }: DicomFetchRow, failure: FetchFailure) => {
    onAttemptFailed({ deviceId, to: 'fetch', failure });
    const seconds = retrySeconds[await fetchLeases.failedTries(db, id)];
    if (lasting.includes(failure) || seconds === undefined) await endFetch(db, { id, owner, failure });
    else await fetchLeases.retry(db, { id, owner, failure }, seconds);
  };

  const run = async (fetch: DicomFetchRow, signal: AbortSignal): Promise<void> => {
    const { id } = fetch;
    const device = await dicomDeviceById(db, { customerId: fetch.customer_id, id: fetch.device_id });
    const isHere = (await findPatient(db, fetch.patient_id)) !== undefined;
    const node = device && nodeOf(device, tls);
    if (!node || !isHere) return settle(fetch, 'removed');
    try {
      await requireAllowed(db, fetch, 'disable.new_study');
      await attempt(fetch, node, device.name, signal);
      await endFetch(db, { id, owner, failure: null });
    } catch (error) {
      const failure = failureOf(error);
      if (signal.aborted || failure === null) throw error;
      await settle(fetch, failure);
    }
  };

  const work = (fetch: DicomFetchRow): Promise<void> => {
    const lease = {
      seconds: leaseSeconds,
      renew: () => fetchLeases.renew(db, fetch.id, owner, leaseSeconds),
      release: () => fetchLeases.release(db, fetch.id, owner),
    };
    return workUnderLease(lease, closing.signal, onFailure, (signal) => run(fetch, signal));
  };

  const runner = startJobRunner({
    parallel,
    pollSeconds,
    workOne: async () => {
      if (closing.signal.aborted || !isAvailable()) return false;
      const fetch = await fetchLeases.claim(db, owner, leaseSeconds);
      if (fetch) await work(fetch);
      return fetch !== undefined;
    },
    onFailure: (error) => {
      if (!isDatabaseUnavailable(error)) onFailure(error);
    },
  });

  return {
    close: async () => {
      closing.abort(new Error('the server is closing'));
      await runner.close();
    },
  };
};
