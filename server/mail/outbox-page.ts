import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { languageOfLetters } from '../../contract/sign-in.ts';
import { isLoopbackAddress, isLoopbackName } from '../loopback.ts';
import { Refusal } from '../refusal.ts';
import { escapeHtml } from './escape-html.ts';
import { letterTexts } from './letter-texts.ts';
import { type ReadLetter, readLetter } from './read-letter.ts';

export const outboxPath = '/api/outbox';
const newest = 50;

interface OutboxPage {
  readonly folder: string;
  /** Only while the demo clinic is there. */
  readonly isShown: () => Promise<boolean>;
}

/** What proxies add: whoever comes through one may sit anywhere. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** The name is looked at too: a page of another origin can make its own name mean this machine, and then read what comes back. */
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

const lettersIn = async (folder: string): Promise<ReadLetter[]> => {
  const names = await readdir(folder).catch((): string[] => []);
  const shown = names
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
    .slice(0, newest);
  return Promise.all(shown.map(async (name) => readLetter(await readFile(path.join(folder, name), 'latin1'))));
};

const pageOf = (letters: readonly ReadLetter[], language: keyof typeof letterTexts): string => {
  const texts = letterTexts[language].outbox;
  const article = ({ to, subject, text, link }: ReadLetter): string =>
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
    letters.length === 0 ? `<p>${escapeHtml(texts.none)}</p>` : letters.map(article).join(''),
    '</body></html>',
  ].join('');
};

/** The letters of the demo clinic, for whoever sits at this machine. For everybody else there is no such page. `?language=` of sv, en, da, no. */
export const outboxPage = (server: FastifyInstance, { folder, isShown }: OutboxPage): void => {
  server.get<{ Querystring: { language?: string } }>(outboxPath, async (request, reply) => {
    if (!isOfThisMachine(request) || !(await isShown())) throw new Refusal('not-found');
    const letters = await lettersIn(folder);
    // Without a word: as the newest letter, which speaks the language of the page that it was asked from.
    const language = languageOfLetters.catch('sv').parse(request.query.language ?? letters[0]?.language);
    return reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(pageOf(letters, language));
  });
};
