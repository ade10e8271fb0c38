import type { FastifyInstance, FastifyReply } from 'fastify';

const header = 'cache-control';

/** Build files with a content hash in their name: cached immutably. */
export const cacheForever = 'public, max-age=31536000, immutable';
/** Other build files, the same for all users: cached, but revalidated. */
export const cacheAndRevalidate = 'public, no-cache';

const isDecided = (reply: FastifyReply): boolean => {
  const value = String(reply.getHeader(header));
  return value === cacheForever || value === cacheAndRevalidate || value.includes('no-store');
};

/**
 * Sets `no-store` on every reply except build files, because workstations are shared and a reply without Cache-Control may be stored (RFC 9111
 * section 4.2.2). See docs/decisions/003-no-patient-data-in-browser-caches.md.
 */
export const noStore = (server: FastifyInstance): void => {
  // Also covers handlers that write to the socket themselves (oidc-provider, event streams).
  server.addHook('onRequest', async (_request, reply) => void reply.raw.setHeader(header, 'no-store'));
  server.addHook('onSend', async (_request, reply, payload) => {
    if (!isDecided(reply)) reply.header(header, 'no-store');
    return payload;
  });
};
