import { randomBytes } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Nothing from elsewhere, no script but our files, no style but our files. `wasm-unsafe-eval` lets the image codecs compile. */
const directives = {
  'default-src': ["'self'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'worker-src': ["'self'", 'blob:'],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'blob:', 'data:'],
  // The hub's WebSocket is of our own origin, and counts as 'self' (CSP Level 3); `ws:` would open a way out to anywhere.
  'connect-src': ["'self'"],
  'font-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/**
 * Response headers that keep a browser from being talked into anything. Strict transport only where we are reached by https. `storeOrigin`: the
 * one place elsewhere that a page may talk to, where the clinic's files go to an object store; null when they come to us.
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

/**
 * A word that is good for this one reply: the style elements that carry it count (Mantine writes its theme into one, and the lock of
 * scrolling behind a dialog into another).
 */
export const allowStylesOnce = (reply: FastifyReply): string => {
  const nonce = randomBytes(18).toString('base64');
  reply.header(
    header,
    String(reply.getHeader(header)).replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`),
  );
  return nonce;
};
