import type { MailFailure } from '../../contract/mail.ts';
import type { MailLanguage } from '../../contract/sign-in.ts';

/** A rendered e-mail message. */
export interface EmailMessage {
  readonly language: MailLanguage;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailTransport {
  /** Resolves when the mail server (or the outbox) has accepted the message. @throws DeliveryError */
  send(message: EmailMessage): Promise<void>;
  close(): void;
}

/** A failed delivery. The message contains neither content nor recipient: mail servers quote addresses. */
export class DeliveryError extends Error {
  readonly reason: MailFailure;
  /** Permanent: the mail server does not know the mailbox, so retrying is pointless. */
  readonly isFinal: boolean;
  /** Codes of the error and of the mail server's reply. */
  readonly detail: string;

  constructor(reason: MailFailure, detail: string) {
    super(`e-mail not sent: ${detail}`);
    this.name = 'DeliveryError';
    this.reason = reason;
    this.isFinal = reason === 'recipient';
    this.detail = detail;
  }
}
