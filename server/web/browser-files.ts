import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import compress from '@fastify/compress';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { sharedPath } from '../../contract/shared-path.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { cacheAndRevalidate, cacheForever } from './no-store.ts';
import { allowScripts, allowStylesOnce, sourcesOfInlineScripts } from './security-headers.ts';

/** Path prefixes of services: an unknown path below them is 404, not a page. */
const ofServices = /^\/(api|auth\/api|connect|interaction|resource|dicomweb|\.well-known|health)(\/|$|\?)/;

/** Placeholder in the built page, replaced by a nonce per reply (`html.cspNonce` of vite.config.ts). */
const noncePlaceholder = '__CSP_NONCE__';

/**
 * Serves the built web application: hashed assets cached immutably, other files revalidated. The page is never cached; every path that a browser
 * navigates to (`Accept: text/html`) returns it, as its routes are known only to the application.
 * Without a build (development: Vite serves it) only the services answer.
 */
export const browserFiles = async (server: FastifyInstance, folder: string | null): Promise<void> => {
  const page = folder && path.join(folder, 'index.html');
  if (!folder || !page || !existsSync(page)) {
    server.setNotFoundHandler(() => {
      throw new ProblemError('not-found');
    });
    return;
  }
  await server.register(compress, { global: true, encodings: ['br', 'gzip'], threshold: 1024 });
  await server.register(files, {
    root: folder,
    wildcard: false,
    index: false,
    cacheControl: false,
    // The build precompresses its files with a higher ratio than on-the-fly compression allows.
    preCompressed: true,
    setHeaders: (reply, file) => {
      const hashed = file.startsWith(path.join(folder, 'assets') + path.sep);
      reply.header('cache-control', hashed ? cacheForever : cacheAndRevalidate);
    },
  });
  const html = readFileSync(page, 'utf8');
  const scripts = sourcesOfInlineScripts(html);
  server.setNotFoundHandler((request, reply) => {
    const [pathname = ''] = request.url.split('?', 1);
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    // Scripts, fetches and monitoring tools get a 404 instead of the page.
    const isNavigation = pathname === '/' || request.headers.accept?.includes('text/html');
    if (!wantsPage || ofServices.test(request.url) || !isNavigation) throw new ProblemError('not-found');
    // The page of a link is for its recipient only.
    if (pathname === sharedPath) reply.header('x-robots-tag', 'noindex');
    allowScripts(reply, scripts);
    const text = html.replaceAll(noncePlaceholder, allowStylesOnce(reply));
    return reply.type('text/html; charset=utf-8').send(text);
  });
};
