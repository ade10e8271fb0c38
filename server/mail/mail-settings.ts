import { z } from 'zod';
import { isLoopbackName } from '../loopback.ts';
import { type Environment, readNamed } from '../named-settings.ts';

const isSender = (text: string): boolean =>
  z.email().safeParse(/^[^<>\r\n]*<([^<>\s]+)>$/.exec(text)?.[1] ?? text).success;

const settings = {
  /** `smtp://user:password@host:587`, or `smtps://...` for implicit TLS. */
  DENTARIUM_SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'no address like smtp://user:password@host:587' })
    .refine((text) => URL.canParse(text) && new URL(text).hostname !== '', 'names no host'),
  DENTARIUM_MAIL_FROM: z
    .string()
    .refine(isSender, 'no sender like dentarium@clinic.example or Dentarium <dentarium@clinic.example>'),
  DENTARIUM_SMTP_TLS: z.enum(['required', 'when-offered'], 'is neither required nor when-offered').optional(),
  DENTARIUM_SMTP_CA_FILE: z.string().optional(),
};

/** Settings of the outgoing mail server. */
export interface MailSettings {
  /** `smtp://user:password@host:port` or `smtps://...` */
  readonly smtpUrl: string;
  readonly from: string;
  /** Reset links are sent over TLS only, unless the mail server is on this machine or the setting allows it. */
  readonly requireTls: boolean;
  /** PEM of a private certificate authority of the mail server. */
  readonly caFile: string | null;
}

/**
 * Reads the mail server settings from the environment; null when none is set, then messages go to the outbox folder.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readMailSettings = (environment: Environment): MailSettings | null => {
  const named = readNamed(environment, settings, { missing: 'is missing, and sending e-mail requires it' });
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
