import { allowInsecureRequests, ClientError, discovery as discover, type ServerMetadata } from 'openid-client';
import { ProblemError } from '../../domain/problem-error.ts';
import { isLoopback } from '../../loopback.ts';

/** How long metadata is fresh, and how long it is used while the provider is unreachable. */
const freshFor = 10 * 60_000;
const goodFor = 24 * 3_600_000;
export const timeoutSeconds = 5;

export interface Discovery {
  /** Returns the provider's metadata. Throws errors of openid-client; a different issuer in the metadata is an error. */
  metadataOf(issuer: string): Promise<ServerMetadata>;
  /** Makes the next call fetch the metadata again. */
  forget(issuer: string): void;
}

interface Known {
  readonly metadata: ServerMetadata;
  readonly at: number;
}

/** Fetches the metadata without a cache. Redirects are not followed. */
export const fetchMetadata = async (issuer: string): Promise<ServerMetadata> => {
  // The client id is irrelevant here.
  const found = await discover(new URL(issuer), 'discovery', undefined, undefined, {
    timeout: timeoutSeconds,
    execute: isLoopback(issuer) ? [allowInsecureRequests] : [],
  });
  const metadata = found.serverMetadata();
  // The metadata names another issuer.
  if (metadata.issuer !== issuer) throw new ProblemError('sign-in-not-verified');
  return metadata;
};

/** Returns whether the provider did not answer in time or answered with a server error. */
export const isUnreachable = (error: unknown): boolean => {
  if (error instanceof TypeError) return true;
  if (!(error instanceof ClientError)) return false;
  return error.code === 'OAUTH_TIMEOUT' || (error.cause instanceof Response && error.cause.status >= 500);
};

/** Caches OpenID Connect Discovery 1.0 metadata. Concurrent requests share one fetch. */
export const openDiscovery = (now: () => number = Date.now): Discovery => {
  const known = new Map<string, Known>();
  const pending = new Map<string, Promise<ServerMetadata>>();
  const refresh = async (issuer: string, cached: Known | undefined): Promise<ServerMetadata> => {
    try {
      const metadata = await fetchMetadata(issuer);
      known.set(issuer, { metadata, at: now() });
      return metadata;
    } catch (error) {
      if (cached && isUnreachable(error) && now() - cached.at < goodFor) return cached.metadata;
      known.delete(issuer);
      throw error;
    }
  };
  return {
    metadataOf: async (issuer) => {
      const before = known.get(issuer);
      if (before && now() - before.at < freshFor) return before.metadata;
      const running = pending.get(issuer) ?? refresh(issuer, before).finally(() => pending.delete(issuer));
      pending.set(issuer, running);
      return running;
    },
    forget: (issuer) => void known.delete(issuer),
  };
};
