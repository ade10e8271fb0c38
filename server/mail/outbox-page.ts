import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mailLanguage } from '../../contract/sign-in.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { isLoopbackAddress, isLoopbackName } from '../loopback.ts';
import { escapeHtml } from '../web/escape-html.ts';
import { outboxTexts } from './outbox-texts.ts';
import { type ParsedEmail, parseEmail } from './parse-email.ts';

export const outboxPath = '/api/outbox';
const newest = 50;

interface OutboxPage {
  readonly folder: string;
  /** True only while the demo clinic exists. */
  readonly isShown: () => Promise<boolean>;
}

/** Headers that proxies add: a proxied client may be on any machine. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** The host name is checked too: with DNS rebinding a foreign page could otherwise read the response. */
const isOfThisMachine = (request: FastifyRequest): boolean => {
  const name = `http://${request.headers.host ?? ''}`;
  return (
    isLoopbackAddress(request.raw.socket.remoteAddress) &&
    !proxyHeaders.some((header) => header in request.headers) &&
    URL.canParse(name) &&
    isLoopbackName(new URL(name).hostname)
  );
};

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1c2733;background:#fff}article{border-top:1px solid #cbd3da;padding:1rem 0}h2{font-size:1.1rem;margin:0}p{white-space:pre-line;overflow-wrap:anywhere}a{color:#0b5cad}';
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const messagesIn = async (folder: string): Promise<ParsedEmail[]> => {
  const names = await readdir(folder).catch((): string[] => []);
  const shown = names
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
    .slice(0, newest);
  return Promise.all(shown.map(async (name) => parseEmail(await readFile(path.join(folder, name), 'latin1'))));
};

const pageOf = (messages: readonly ParsedEmail[], language: keyof typeof outboxTexts): string => {
  const texts = outboxTexts[language];
  const article = ({ to, subject, text, link }: ParsedEmail): string =>
    [
      `<article><h2>${escapeHtml(subject)}</h2><p>${escapeHtml(`${texts.to}: ${to}`)}</p>`,
      `<p>${escapeHtml(text.trim())}</p>`,
      link === null ? '' : `<p><a href="${escapeHtml(link)}">${escapeHtml(texts.open)}</a></p>`,
      '</article>',
    ].join('');
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${escapeHtml(texts.title)}</title><style>${style}</style></head><body>`,
    `<h1>${escapeHtml(texts.title)}</h1><p>${escapeHtml(texts.explanation)}</p>`,
    messages.length === 0 ? `<p>${escapeHtml(texts.none)}</p>` : messages.map(article).join(''),
    '</body></html>',
  ].join('');
};

/** Shows the e-mails of the demo clinic to browsers on this machine; 404 for everyone else. `?language=` accepts sv, en, da, no. */
export const outboxPage = (server: FastifyInstance, { folder, isShown }: OutboxPage): void => {
  server.get<{ Querystring: { language?: string } }>(outboxPath, async (request, reply) => {
    if (!isOfThisMachine(request) || !(await isShown())) throw new ProblemError('not-found');
    const messages = await messagesIn(folder);
    // Without `?language=`, the language of the newest message is used.
    const language = mailLanguage.catch('sv').parse(request.query.language ?? messages[0]?.language);
    return reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(pageOf(messages, language));
  });
};
