import { readFileSync } from 'node:fs';
import { createTransport } from 'nodemailer';
import type { MailFailure } from '../../contract/mail.ts';
import { StartupError } from '../startup-error.ts';
import { composeMessage } from './compose-message.ts';
import { DeliveryError, type MailTransport } from './email-message.ts';
import type { MailSettings } from './mail-settings.ts';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

const field = (error: unknown, name: 'code' | 'command' | 'responseCode'): unknown =>
  typeof error === 'object' && error !== null && name in error ? (error as Record<string, unknown>)[name] : undefined;

/** Codes of nodemailer for everything before the mail server's first answer to us. */
const connectionCodes: readonly unknown[] = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS'];

const reasonOf = (code: unknown, command: unknown, reply: number): MailFailure => {
  if (connectionCodes.includes(code)) return 'connection';
  if (code === 'EAUTH') return 'sign-in';
  // RFC 5321 section 4.2.1: 5yz is permanent. Only for the mailbox: an administrator can fix credentials or the sender.
  if (reply >= 500 && command === 'RCPT TO') return 'recipient';
  return reply > 0 ? 'rejected' : 'unknown';
};

const deliveryError = (error: unknown): DeliveryError => {
  const reply = Number(field(error, 'responseCode') ?? 0);
  const [code, command] = [field(error, 'code'), field(error, 'command')];
  const detail = [code, command, reply || null].filter((part) => typeof part === 'string' || typeof part === 'number');
  return new DeliveryError(reasonOf(code, command, reply), detail.join(' ') || 'unknown');
};

const authority = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    throw new StartupError('Setting DENTARIUM_SMTP_CA_FILE: cannot be read');
  }
};

interface SmtpTransport extends MailTransport {
  /** Connects and signs in without sending. @throws DeliveryError */
  verify(): Promise<void>;
}

/** Sends messages to a mail server with implicit TLS (smtps) or STARTTLS. @throws StartupError */
export const smtpTransport = ({ smtpUrl, from, requireTls, caFile }: MailSettings): SmtpTransport => {
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: requireTls,
    ...timeouts,
    ...(caFile === null ? {} : { tls: { ca: authority(caFile) } }),
  });
  return {
    send: async (email) => {
      await transport.sendMail(composeMessage(email, from)).catch((error: unknown) => {
        throw deliveryError(error);
      });
    },
    verify: async () => {
      await transport.verify().catch((error: unknown) => {
        throw deliveryError(error);
      });
    },
    close: () => transport.close(),
  };
};
