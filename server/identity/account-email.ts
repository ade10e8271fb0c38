import type { MailLanguage } from '../../contract/sign-in.ts';
import type { PreparedEmail } from '../mail/mailer.ts';
import { escapeHtml } from '../web/escape-html.ts';

interface AccountEmail {
  readonly language: MailLanguage;
  readonly to: { readonly firstName: string; readonly lastName: string; readonly email: string };
  readonly subject: string;
  /** Paragraphs; `{name}` is the first name, others are in `values`. */
  readonly body: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  /** The paragraph `{link}`, as a link with this text in HTML. */
  readonly link?: { readonly href: string; readonly text: string };
}

const linkLine = '{link}';

/** Renders an e-mail to a user. It contains neither a password nor patient data. */
export const accountEmail = (email: AccountEmail): PreparedEmail['message'] => {
  const { language, to, subject, body, link } = email;
  const values: Readonly<Record<string, string>> = { ...email.values, name: to.firstName, link: link?.href ?? '' };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const paragraph = (text: string): string =>
    link && text === linkLine
      ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`
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
