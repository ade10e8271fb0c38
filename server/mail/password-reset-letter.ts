import type { LanguageOfLetters } from '../../contract/sign-in.ts';
import { escapeHtml } from './escape-html.ts';
import type { Letter } from './letter.ts';
import { letterTexts } from './letter-texts.ts';

interface PasswordResetLetter {
  readonly language: LanguageOfLetters;
  readonly to: { readonly firstName: string; readonly lastName: string; readonly email: string };
  readonly link: string;
  readonly goodForMinutes: number;
}

/** "1 timme", "90 minuter". */
const duration = (language: LanguageOfLetters, minutes: number): string => {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
};

const linkLine = '{link}';

/** Says who, what and for how long. Neither a password nor anything about a patient. */
export const passwordResetLetter = ({ language, to, link, goodForMinutes }: PasswordResetLetter): Letter => {
  const { subject, body, button } = letterTexts[language].passwordReset;
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
