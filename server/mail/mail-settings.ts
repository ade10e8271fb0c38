import { z } from 'zod';
import { isLoopbackName } from '../loopback.ts';
import { readOptionalSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';

const isSender = (text: string): boolean =>
  z.email().safeParse(/^[^<>\r\n]*<([^<>\s]+)>$/.exec(text)?.[1] ?? text).success;

export const mailVariables = {
  smtpUrl: {
    variable: 'DENTARIUM_SMTP_URL',
    schema: z
      .url({ protocol: /^smtps?$/, error: 'no address like smtp://user:password@host:587' })
      .refine((text) => URL.canParse(text) && new URL(text).hostname !== '', 'names no host'),
    description: 'mail server: `smtp://user:password@mail.example:587`, or `smtps://…:465` for implicit TLS',
    isSecret: true,
  },
  from: {
    variable: 'DENTARIUM_MAIL_FROM',
    schema: z
      .string()
      .refine(isSender, 'no sender like dentarium@clinic.example or Dentarium <dentarium@clinic.example>'),
    description: 'sender: `Dentarium <noreply@clinic.example>`; required with a mail server',
  },
  tls: {
    variable: 'DENTARIUM_SMTP_TLS',
    schema: z.enum(['required', 'when-offered'], 'is neither required nor when-offered').optional(),
    defaultNote: '`required`; `when-offered` for a mail server on this machine',
    description: '`required` or `when-offered`',
  },
  caFile: {
    variable: 'DENTARIUM_SMTP_CA_FILE',
    schema: z.string().optional(),
    description: 'PEM file for a mail server with a private certificate authority',
  },
} satisfies Settings;

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
 * Reads the mail server settings; null when none is set, then no e-mail is sent.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readMailSettings = (environment: Environment): MailSettings | null => {
  const values = readOptionalSettings(environment, mailVariables, {
    missing: 'is missing, and sending e-mail requires it',
  });
  if (!values) return null;
  const { smtpUrl, from, tls = isLoopbackName(new URL(smtpUrl).hostname) ? 'when-offered' : 'required' } = values;
  return { smtpUrl, from, requireTls: tls === 'required', caFile: values.caFile ?? null };
};
