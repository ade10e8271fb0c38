import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import {
  claimMail,
  deleteMail,
  type MailRequest,
  markMailFailed,
  markMailSent,
  type QueuedMail,
  queueMail,
  retryMailLater,
} from '../db/stores/mail-queue.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { startJobRunner } from '../jobs/job-runner.ts';
import { DeliveryError, type EmailMessage, type MailTransport } from './email-message.ts';

/** Where messages go: `outbox` is the folder of the demo clinic. */
export type MailDestination = 'mail-server' | 'outbox' | 'none';

/** A message ready to be sent. */
export interface PreparedEmail {
  readonly message: EmailMessage;
  readonly accountId: string;
  /** Called once after sending: activates the link, or revokes it. */
  settle(isSent: boolean): Promise<void>;
}

export interface MailerOptions {
  readonly db: Kysely<Schema>;
  readonly transport: MailTransport;
  /** Renders the message at the moment of sending, so that no secret is stored in the queue. Null: no recipient. */
  readonly prepare: (request: QueuedMail) => Promise<PreparedEmail | null>;
  readonly onFailure: (error: unknown) => void;
  /** Delay before the first retry; it doubles with each further retry. */
  readonly retrySeconds?: number;
}

export interface Mailer {
  /** Resolves when the request is stored. The e-mail is sent shortly after, with retries until the mail server accepts it. */
  enqueue(request: MailRequest): Promise<void>;
  /** Checks the queue now. */
  wake(): void;
  /**
   * Sends immediately and waits until the mail server has accepted the message.
   * @throws ProblemError 'cannot-send-email' with the reason: nothing is sent later; 'too-many-requests' when none is due
   */
  sendNow(request: MailRequest): Promise<void>;
  /** Sends a message past the queue, once. @throws DeliveryError */
  sendOnce(message: EmailMessage): Promise<void>;
  /** Resolves when nothing is left that can be sent now. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Longer than the timeout of any mail server. */
const claimSeconds = 300;
const maxRetrySeconds = 900;
const giveUpAfterMs = 24 * 3_600_000;

/** Sends queued e-mails in order; requests of a stopped node are sent by the next one. */
export const openMailer = ({ db, transport, prepare, onFailure, retrySeconds = 30 }: MailerOptions): Mailer => {
  const deliver = async (request: QueuedMail): Promise<'sent' | 'no-recipient' | DeliveryError> => {
    const ready = await prepare(request);
    if (!ready) return 'no-recipient';
    try {
      await transport.send(ready.message);
    } catch (error) {
      await ready.settle(false);
      if (error instanceof DeliveryError) return error;
      throw error;
    }
    await markMailSent(db, request.id, ready.accountId);
    await ready.settle(true);
    return 'sent';
  };

  const sendOne = async (): Promise<boolean> => {
    const request = await claimMail(db, claimSeconds);
    if (!request) return false;
    const outcome = await deliver(request);
    if (outcome === 'sent') return true;
    if (outcome === 'no-recipient') {
      await deleteMail(db, request.id);
      return true;
    }
    const delaySeconds = Math.min(maxRetrySeconds, retrySeconds * 2 ** (request.tries - 1));
    if (outcome.isFinal || Date.now() - request.requestedAt.getTime() > giveUpAfterMs)
      await markMailFailed(db, request.id, outcome.reason);
    else await retryMailLater(db, request.id, outcome.reason, delaySeconds);
    onFailure(outcome);
    return true;
  };

  const runner = startJobRunner({
    parallel: 1,
    pollSeconds: Math.min(15, retrySeconds),
    workOne: sendOne,
    // If the worker fails (for example because the database is unavailable), the claim expires and the message is retried.
    onFailure,
  });

  return {
    enqueue: async (request) => void (await queueMail(db, request)),
    wake: runner.wake,
    sendNow: async (request) => {
      const id = await queueMail(db, request, claimSeconds);
      const taken = await claimMail(db, claimSeconds, id);
      const outcome = taken ? await deliver(taken) : 'no-recipient';
      if (outcome === 'sent') return;
      if (outcome === 'no-recipient') {
        await deleteMail(db, id);
        throw new ProblemError('too-many-requests');
      }
      await markMailFailed(db, id, outcome.reason);
      onFailure(outcome);
      throw new ProblemError('cannot-send-email', [{ fieldKey: 'email', vars: { reason: outcome.reason } }]);
    },
    sendOnce: transport.send,
    idle: runner.idle,
    close: async () => {
      await runner.close();
      transport.close();
    },
  };
};
