import { z } from 'zod';
import { isLoopbackName } from '../loopback.ts';
import { type Environment, readNamed } from '../named-settings.ts';

const isSender = (text: string): boolean =>
  z.email().safeParse(/^[^<>\r\n]*<([^<>\s]+)>$/.exec(text)?.[1] ?? text).success;

const settings = {
  /** `smtp://user:password@host:587`, or `smtps://...` where the connection begins with TLS. */
  DENTARIUM_SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'no address like smtp://user:password@host:587' })
    .refine((text) => URL.canParse(text) && new URL(text).hostname !== '', 'names no host'),
  DENTARIUM_MAIL_FROM: z
    .string()
    .refine(isSender, 'no sender like dentarium@clinic.example or Dentarium <dentarium@clinic.example>'),
  DENTARIUM_SMTP_TLS: z.enum(['required', 'when-offered'], 'is neither required nor when-offered').optional(),
  DENTARIUM_SMTP_CA_FILE: z.string().optional(),
};

/** Where letters go out. */
export interface MailSettings {
  /** `smtp://user:password@host:port` or `smtps://...` */
  readonly smtpUrl: string;
  readonly from: string;
  /** Links to a new password do not travel in the open, unless the mail server is on this machine or somebody said so. */
  readonly requireTls: boolean;
  /** PEM of the issuer of the mail server's certificate, where no public one issued it. */
  readonly caFile: string | null;
}

/**
 * The mail server that the environment names; null when it names none, and then letters lie in the outbox folder.
 * @throws StartRefused naming the first variable that is missing or wrong, never its value
 */
export const readMailSettings = (environment: Environment): MailSettings | null => {
  const named = readNamed(environment, settings, { missing: 'is missing, and sending letters needs it' });
  if (!named) return null;
  const { hostname } = new URL(named.DENTARIUM_SMTP_URL);
  const tls = named.DENTARIUM_SMTP_TLS ?? (isLoopbackName(hostname) ? 'when-offered' : 'required');
  return {
    smtpUrl: named.DENTARIUM_SMTP_URL,
    from: named.DENTARIUM_MAIL_FROM,
    requireTls: tls === 'required',
    caFile: named.DENTARIUM_SMTP_CA_FILE ?? null,
  };
};
