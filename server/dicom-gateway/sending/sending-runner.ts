import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import type { Kysely } from 'kysely';
import type { SendingFailure } from '../../../contract/dicom-sendings.ts';
import { uidOfUuid } from '../../../dicom/write/uid.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import { isDatabaseUnavailable } from '../../db/database-unavailable.ts';
import type { Schema } from '../../db/schema.ts';
import { dicomDeviceById } from '../../db/stores/dicom-devices.ts';
import {
  type DicomSendingRow,
  endSending,
  imageToSend,
  noteOutcome,
  postponeImage,
  sendingLeases,
  unsentImages,
} from '../../db/stores/dicom-sendings.ts';
import {
  claimCommitment,
  endWithCommitment,
  retryCommitment,
  sentObjects,
  settleCommitment,
} from '../../db/stores/sending-commitments.ts';
import type { Imaging } from '../../dicom/imaging.ts';
import { AssociationError } from '../../dimse/association/association-error.ts';
import { type LinkLimits, usualLimits } from '../../dimse/association/link.ts';
import { commitmentContexts } from '../../dimse/user/commitment.ts';
import { AssociationRejected, type Node } from '../../dimse/user/open-association.ts';
import { NoContext } from '../../dimse/user/requests.ts';
import { type JobRunner, startJobRunner } from '../../jobs/job-runner.ts';
import { workUnderLease } from '../../jobs/leased-work.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { deviceReports } from '../commitment/device-reports.ts';
import type { FailedAttempt } from '../failed-attempt.ts';
import { NotAllowed, requireAllowed } from '../may-transfer.ts';
import { nodeOf } from '../node-of.ts';
import { openUntilAborted } from '../open-until-aborted.ts';
import { askCommitment } from './ask-commitment.ts';
import { DeviceBusy, sendImages } from './send-images.ts';

export interface SendingOptions {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly imaging: Pick<Imaging, 'frame'>;
  readonly accessLog: AccessLog;
  /** False while the folder of files is missing: nothing is sent then. */
  readonly isAvailable: () => boolean;
  readonly aeTitle: string;
  /** For devices that are called by TLS. */
  readonly tls: ConnectionOptions;
  readonly onFailure: (error: unknown) => void;
  /** Learns of each failed attempt. */
  readonly onAttemptFailed: (attempt: FailedAttempt) => void;
  /** Before each further attempt; after as many without any image sent the sending has failed. */
  readonly retrySeconds?: readonly number[];
  readonly leaseSeconds?: number;
  readonly limits?: LinkLimits;
}

const usualRetrySeconds = [5, 30, 120, 300] as const;
/** Sendings at once; one goes over one association. */
const parallel = 2;
const pollSeconds = 1;
/** Lease of a request for commitment: longer than it lasts. */
const askSeconds = 180;
/** `result` of a rejection that is permanent (PS3.8 9.3.4). */
const permanent = 1;

/** Returns why a device got nothing; null when it is a failure of this program. */
const failureOf = (error: unknown): SendingFailure | null => {
  if (error instanceof NotAllowed) return 'not-allowed';
  if (error instanceof AssociationRejected) return error.rejection.result === permanent ? 'rejected' : 'busy';
  if (error instanceof AssociationError) return 'unreachable';
  return error instanceof DeviceBusy ? 'busy' : null;
};

/** Sends waiting images to devices, whichever node was asked to; those of a node that was killed are continued when its lease has expired. */
export const startSending = (options: SendingOptions): Pick<JobRunner, 'close'> => {
  const { db, files, imaging, accessLog, isAvailable, aeTitle, tls, onFailure, onAttemptFailed } = options;
  const { retrySeconds = usualRetrySeconds, leaseSeconds = 15, limits = usualLimits } = options;
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const closing = new AbortController();

  const openTo = (node: Node, signal: AbortSignal) => openUntilAborted(node, { aeTitle, limits, signal });

  const attempt = async (sending: DicomSendingRow, node: Node, deviceName: string, signal: AbortSignal) => {
    const { id, created_by: accountId, customer_id: customerId, patient_id: patientId } = sending;
    let leaving: string | null = null;
    await sendImages({
      images: await unsentImages(db, sending),
      files,
      imaging,
      open: openTo(node, signal),
      onLeaving: async (imageId) => {
        signal.throwIfAborted();
        await requireAllowed(db, sending, 'disable.open');
        leaving = imageId;
        const row = await imageToSend(db, sending, imageId);
        if (!row) return null;
        const entry = { accountId, customerId, patientId, objectId: imageId, detail: deviceName };
        await accessLog.note({ ...entry, action: 'image.sent' });
        return row;
      },
      onOutcome: (imageId, outcome) => noteOutcome(db, id, imageId, outcome),
      onUnreadable: onFailure,
    }).catch(async (error) => {
      if (leaving && !signal.aborted && failureOf(error) && !(error instanceof NotAllowed))
        await postponeImage(db, id, leaving);
      throw error;
    });
  };

  const settle = async ({ id, device_id: deviceId }: DicomSendingRow, failure: SendingFailure) => {
    onAttemptFailed({ deviceId, to: 'send', failure });
    const seconds = retrySeconds[await sendingLeases.failedTries(db, id)];
    if (failure === 'rejected' || failure === 'removed' || failure === 'not-allowed' || seconds === undefined)
      await endSending(db, { id, owner, failure });
    else await sendingLeases.retry(db, { id, owner, failure }, seconds);
  };

  /** Asks the device of an ended sending whether it has the images for good. */
  const ask = async (sending: DicomSendingRow, signal: AbortSignal): Promise<void> => {
    const { id, device_id: deviceId, commitment_uid: transactionUid } = sending;
    const device = await dicomDeviceById(db, { customerId: sending.customer_id, id: deviceId });
    const node = device && nodeOf(device, tls);
    if (!node || transactionUid === null) return settleCommitment(db, { id, owner }, 'refused');
    try {
      const association = await openTo(node, signal)(commitmentContexts);
      await askCommitment(association, {
        transactionUid,
        objects: await sentObjects(db, id),
        record: deviceReports(db, deviceId),
        onAnswer: (isAccepted) => settleCommitment(db, { id, owner }, isAccepted ? 'asked' : 'refused'),
        onError: onFailure,
      }).finally(association.abort);
    } catch (error) {
      const failure = error instanceof NoContext ? 'rejected' : failureOf(error);
      if (signal.aborted || failure === null) throw error;
      onAttemptFailed({ deviceId, to: 'ask for commitment', failure });
      if (failure === 'rejected') return settleCommitment(db, { id, owner }, 'refused');
      await retryCommitment(db, { id, owner }, retrySeconds[Math.min(sending.tries, retrySeconds.length - 1)] ?? 0);
    }
  };

  const run = async (sending: DicomSendingRow, signal: AbortSignal): Promise<void> => {
    const { id } = sending;
    const device = await dicomDeviceById(db, { customerId: sending.customer_id, id: sending.device_id });
    const node = device && nodeOf(device, tls);
    if (!node) return settle(sending, 'removed');
    try {
      await requireAllowed(db, sending, 'disable.open');
      await attempt(sending, node, device.name, signal);
      if (device.asksCommitment) await endWithCommitment(db, { id, owner, transactionUid: uidOfUuid(randomUUID()) });
      else await endSending(db, { id, owner, failure: null });
    } catch (error) {
      const failure = failureOf(error);
      if (signal.aborted || failure === null) throw error;
      await settle(sending, failure);
    }
  };

  const work = (sending: DicomSendingRow): Promise<void> => {
    const lease = {
      seconds: leaseSeconds,
      renew: () => sendingLeases.renew(db, sending.id, owner, leaseSeconds),
      release: () => sendingLeases.release(db, sending.id, owner),
    };
    return workUnderLease(lease, closing.signal, onFailure, (signal) => run(sending, signal));
  };

  const runner = startJobRunner({
    parallel,
    pollSeconds,
    workOne: async () => {
      if (closing.signal.aborted || !isAvailable()) return false;
      const sending = await sendingLeases.claim(db, owner, leaseSeconds);
      if (sending) {
        await work(sending);
        return true;
      }
      const asked = await claimCommitment(db, owner, askSeconds);
      if (asked) await ask(asked, closing.signal);
      return asked !== undefined;
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
