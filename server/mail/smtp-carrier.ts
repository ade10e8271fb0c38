import { readFileSync } from 'node:fs';
import { createTransport } from 'nodemailer';
import { StartRefused } from '../start-refused.ts';
import { composed } from './compose.ts';
import { type Carrier, NotSent } from './letter.ts';
import type { MailSettings } from './mail-settings.ts';

const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

const field = (error: unknown, name: 'code' | 'command' | 'responseCode'): unknown =>
  typeof error === 'object' && error !== null && name in error ? (error as Record<string, unknown>)[name] : undefined;

const notSent = (error: unknown): NotSent => {
  const reply = Number(field(error, 'responseCode') ?? 0);
  const [code, command] = [field(error, 'code'), field(error, 'command')];
  const reason = [code, command, reply || null].filter((part) => typeof part === 'string' || typeof part === 'number');
  // RFC 5321 section 4.2.1: 5yz is permanent. Only about the mailbox: a wrong sign-in or sender is put right by a person.
  return new NotSent(reason.join(' ') || 'unknown', reply >= 500 && command === 'RCPT TO');
};

const authority = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    throw new StartRefused('Setting DENTARIUM_SMTP_CA_FILE: cannot be read');
  }
};

/** Hands letters to a mail server: TLS from the beginning (smtps), or STARTTLS. @throws StartRefused */
export const smtpCarrier = ({ smtpUrl, from, requireTls, caFile }: MailSettings): Carrier => {
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: requireTls,
    ...patience,
    ...(caFile === null ? {} : { tls: { ca: authority(caFile) } }),
  });
  return {
    send: async (letter) => {
      await transport.sendMail(composed(letter, from)).catch((error: unknown) => {
        throw notSent(error);
      });
    },
    close: () => transport.close(),
  };
};
