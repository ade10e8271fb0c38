import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hubPath } from '../../contract/hub.ts';
import { isLoopback } from '../loopback.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

export interface SeenOrigin {
  readonly origin: string;
  readonly since: Date;
}

/** How browsers have accessed this node since it started. */
export interface OriginWatch {
  /** The first few origins other than the public URL used by signed-in users. */
  otherOrigins(): readonly SeenOrigin[];
  /** When a signed-in user first came through an untrusted proxy; null: never. */
  untrustedProxySince(): Date | null;
}

interface OriginWatchOptions {
  readonly publicUrl: string;
  readonly trustProxy: TrustedProxies | null;
}

const maxOrigins = 10;
const maxOriginLength = 200;

/** Returns the page's origin if the request comes from a page of this archive. */
const ownPageOrigin = (request: FastifyRequest): string | null => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined || origin.length > maxOriginLength || !URL.canParse(origin)) return null;
  const url = new URL(origin);
  if (url.origin !== origin || !/^https?:$/.test(url.protocol)) return null;
  // Browsers send Sec-Fetch-Site only in secure contexts.
  return (site === undefined ? url.host === request.host : site === 'same-origin') ? origin : null;
};

/**
 * Detects browsers that use another address than the public URL, and unconfigured proxies. For unauthenticated requests the first few are logged
 * only; administrators see those of signed-in users (the hub negotiation, once per page). Requests without a page origin (monitoring) and from this
 * machine are ignored.
 */
export const watchOrigins = (server: FastifyInstance, { publicUrl, trustProxy }: OriginWatchOptions): OriginWatch => {
  const logged = new Set<string>();
  const others = new Map<string, Date>();
  let untrustedProxySince: Date | null = null;

  const otherOrigin = (request: FastifyRequest): string | null => {
    const origin = ownPageOrigin(request);
    return origin === null || origin === publicUrl || isLoopback(origin) ? null : origin;
  };

  server.addHook('onRequest', async (request) => {
    const origin = otherOrigin(request);
    if (origin === null || logged.has(origin) || logged.size >= maxOrigins) return;
    logged.add(origin);
    request.log.warn({ origin, publicUrl }, 'a page was loaded from an origin other than DENTARIUM_PUBLIC_URL');
  });

  server.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.url !== `${hubPath}/negotiate` || reply.statusCode >= 300) return;
    const origin = otherOrigin(request);
    if (origin !== null && others.size < maxOrigins && !others.has(origin)) others.set(origin, new Date());
    const isTrusted = trustProxy?.(request.socket.remoteAddress ?? '', 0) ?? false;
    if (isTrusted || untrustedProxySince !== null || !('x-forwarded-for' in request.headers)) return;
    untrustedProxySince = new Date();
    request.log.warn(
      'a proxy not listed in DENTARIUM_TRUST_PROXY sends X-Forwarded-For: all clients share its address',
    );
  });

  return {
    otherOrigins: () => [...others].map(([origin, since]) => ({ origin, since })),
    untrustedProxySince: () => untrustedProxySince,
  };
};
