/** The parts of an e-mail that the outbox page shows. */
export interface ParsedEmail {
  /** `Content-Language` (RFC 3282). */
  readonly language: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly link: string | null;
}

const quotedPrintable = (text: string): string => {
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

/** Decodes encoded words (RFC 2047). */
const decodeWords = (header: string): string =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, way: string, word: string) =>
      way.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : quotedPrintable(word.replaceAll('_', ' ')),
    );

const headerOf = (head: string, name: string): string =>
  decodeWords(new RegExp(`^${name}: ((?:.|\\r?\\n[ \\t])*)`, 'im').exec(head)?.[1]?.replace(/\r?\n[ \t]+/g, ' ') ?? '');

const bodyOf = (part: string): string => {
  const at = part.search(/\r?\n\r?\n/);
  const [head, body] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at).trimStart()];
  const encoding = headerOf(head, 'Content-Transfer-Encoding').trim().toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? quotedPrintable(body) : Buffer.from(body, 'latin1').toString('utf8');
};

/** Parses an e-mail of the own outbox as nodemailer wrote it (multipart/alternative, text first). `bytes` is latin1, one character per byte. */
export const parseEmail = (bytes: string): ParsedEmail => {
  const head = bytes.slice(0, Math.max(0, bytes.search(/\r?\n\r?\n/)));
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1];
  const text = bodyOf(boundary === undefined ? bytes : (bytes.split(`--${boundary}`)[1]?.trimStart() ?? ''));
  return {
    language: headerOf(head, 'Content-Language'),
    to: headerOf(head, 'To'),
    subject: headerOf(head, 'Subject'),
    text,
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? null,
  };
};
