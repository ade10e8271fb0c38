import { createHash, randomBytes } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Allows only own scripts and styles. `wasm-unsafe-eval` is needed to compile the image codecs. */
const directives = {
  'default-src': ["'self'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'worker-src': ["'self'", 'blob:'],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'blob:', 'data:'],
  'media-src': ["'self'", 'blob:'],
  // The hub's WebSocket has the same origin and matches 'self' (CSP Level 3); `ws:` would allow any host.
  'connect-src': ["'self'"],
  'font-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/**
 * Sets the security response headers. HSTS only with https. `storeOrigin`: the object store that the page may upload to; null when files are uploaded
 * to the server.
 */
export const securityHeaders = async (
  server: FastifyInstance,
  publicUrl: string,
  storeOrigin: string | null = null,
): Promise<void> => {
  const connectTo = ["'self'", ...(storeOrigin === null ? [] : [storeOrigin])];
  await server.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { ...directives, 'connect-src': connectTo } },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  });
};

const header = 'content-security-policy';

const inline = /<script(?![^>]* src=)[^>]*>([^<]*)<\/script>/g;

/** Returns the sources by which the CSP allows the inline scripts of a built page, and no others. */
export const sourcesOfInlineScripts = (html: string): string =>
  [...html.matchAll(inline)]
    .map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    .join(' ');

/** Adds sources of scripts to the CSP of this reply. */
export const allowScripts = (reply: FastifyReply, sources: string): void => {
  if (sources === '') return;
  reply.header(header, String(reply.getHeader(header)).replace("script-src 'self'", `script-src 'self' ${sources}`));
};

/** Adds a nonce for style elements to the CSP of this reply and returns it. Mantine writes style elements for its theme and for scroll locking. */
export const allowStylesOnce = (reply: FastifyReply): string => {
  const nonce = randomBytes(18).toString('base64');
  reply.header(
    header,
    String(reply.getHeader(header)).replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`),
  );
  return nonce;
};
