import type { MailLanguage } from '../../contract/sign-in.ts';
import type { PreparedEmail } from '../mail/mailer.ts';
import { accountEmail } from './account-email.ts';
import { invitationTexts, passwordResetTexts } from './password-reset-texts.ts';

interface PasswordResetEmail {
  readonly language: MailLanguage;
  readonly to: { readonly firstName: string; readonly lastName: string; readonly email: string };
  readonly link: string;
  readonly goodForMinutes: number;
  /** To a user who has no password yet. */
  readonly isInvitation: boolean;
}

/** "7 dagar", "1 timme", "90 minuter". */
const duration = (language: MailLanguage, minutes: number): string => {
  const units = [
    [24 * 60, 'day'],
    [60, 'hour'],
  ] as const;
  const [size, unit] = units.find(([size]) => minutes % size === 0) ?? [1, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / size);
};

/** Renders the password reset e-mail. */
export const passwordResetEmail = ({
  language,
  to,
  link,
  goodForMinutes,
  isInvitation,
}: PasswordResetEmail): PreparedEmail['message'] => {
  const { subject, body, button } = (isInvitation ? invitationTexts : passwordResetTexts)[language];
  const values = { place: new URL(link).host, time: duration(language, goodForMinutes) };
  return accountEmail({ language, to, subject, body, values, link: { href: link, text: button } });
};
