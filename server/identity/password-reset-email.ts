import type { MailLanguage } from '../../contract/sign-in.ts';
import type { PreparedEmail } from '../mail/mailer.ts';
import { accountEmail } from './account-email.ts';
import { passwordResetTexts } from './password-reset-texts.ts';

interface PasswordResetEmail {
  readonly language: MailLanguage;
  readonly to: { readonly firstName: string; readonly lastName: string; readonly email: string };
  readonly link: string;
  readonly goodForMinutes: number;
}

/** "1 timme", "90 minuter". */
const duration = (language: MailLanguage, minutes: number): string => {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
};

/** Renders the password reset e-mail. */
export const passwordResetEmail = ({
  language,
  to,
  link,
  goodForMinutes,
}: PasswordResetEmail): PreparedEmail['message'] => {
  const { subject, body, button } = passwordResetTexts[language];
  const values = { place: new URL(link).host, time: duration(language, goodForMinutes) };
  return accountEmail({ language, to, subject, body, values, link: { href: link, text: button } });
};
