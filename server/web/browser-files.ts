import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import compress from '@fastify/compress';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal.ts';
import { allowStylesOnce } from './security-headers.ts';

/** Paths of the services: an unknown one among them is a wrong call, not a page. */
const ofServices = /^\/(api|auth\/api|connect|interaction|resource|\.well-known|health)(\/|$|\?)/;
/** A file, not a place in the application: has an ending that begins with a letter. A place may end in a DICOM UID. */
const isFile = /\.[a-z][a-z0-9]{1,4}$/i;

/** Stands in the built page where each reply has a word of its own (`html.cspNonce` of vite.config.ts). */
const noncePlace = '__CSP_NONCE__';

/**
 * The built web application: hashed assets for ever, the page itself asked for each time, and the page for every place in it.
 * Without a build (development: Vite serves it) only the services answer.
 */
export const browserFiles = async (server: FastifyInstance, folder: string | null): Promise<void> => {
  const page = folder && path.join(folder, 'index.html');
  if (!folder || !page || !existsSync(page)) {
    server.setNotFoundHandler(() => {
      throw new Refusal('not-found');
    });
    return;
  }
  await server.register(compress, { global: true, encodings: ['br', 'gzip'], threshold: 1024 });
  await server.register(files, {
    root: folder,
    wildcard: false,
    index: false,
    cacheControl: false,
    // The build has compressed its files already, better than there is time for at each call.
    preCompressed: true,
    setHeaders: (reply, file) => {
      const hashed = file.startsWith(path.join(folder, 'assets') + path.sep);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const html = readFileSync(page, 'utf8');
  server.setNotFoundHandler((request, reply) => {
    const [place = ''] = request.url.split('?', 1);
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    // Somebody who types the address of a file that is not there is told so in words, a program in its own.
    const isFetched = isFile.test(place) && !request.headers.accept?.includes('text/html');
    if (!wantsPage || ofServices.test(request.url) || isFetched) throw new Refusal('not-found');
    const text = html.replaceAll(noncePlace, allowStylesOnce(reply));
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(text);
  });
};
