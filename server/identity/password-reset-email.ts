import type { MailLanguage } from '../../contract/sign-in.ts';
import type { PreparedEmail } from '../mail/mailer.ts';
import { escapeHtml } from '../web/escape-html.ts';
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

const linkLine = '{link}';

/** Renders the password reset e-mail. It contains neither a password nor patient data. */
export const passwordResetEmail = ({
  language,
  to,
  link,
  goodForMinutes,
}: PasswordResetEmail): PreparedEmail['message'] => {
  const { subject, body, button } = passwordResetTexts[language];
  const values: Readonly<Record<string, string>> = {
    name: to.firstName,
    place: new URL(link).host,
    link,
    time: duration(language, goodForMinutes),
  };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const paragraph = (text: string): string =>
    text === linkLine
      ? `<p><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></p>`
      : `<p>${escapeHtml(filled(text))}</p>`;
  return {
    language,
    to: { name: `${to.firstName} ${to.lastName}`, address: to.email },
    subject,
    text: `${body.map(filled).join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body>`,
      ...body.map(paragraph),
      '</body></html>',
    ].join('\n'),
  };
};
