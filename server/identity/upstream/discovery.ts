import { allowInsecureRequests, ClientError, discovery as discover, type ServerMetadata } from 'openid-client';
import { isLoopback } from '../../loopback.ts';
import { Refusal } from '../../refusal.ts';

/** How long a provider's description of itself is taken as it was, and for how long it serves when the provider does not describe itself any more. */
const freshFor = 10 * 60_000;
const goodFor = 24 * 3_600_000;
export const patienceSeconds = 5;

export interface Discovery {
  /** What the provider says of itself. Throws what openid-client throws; a provider that calls itself otherwise is no answer. */
  metadataOf(issuer: string): Promise<ServerMetadata>;
  /** The next call asks again. */
  forget(issuer: string): void;
}

interface Known {
  readonly metadata: ServerMetadata;
  readonly at: number;
}

/** Asks, past every cache. Redirects are not followed. */
export const askProvider = async (issuer: string): Promise<ServerMetadata> => {
  // The client's own name does not matter here.
  const found = await discover(new URL(issuer), 'discovery', undefined, undefined, {
    timeout: patienceSeconds,
    execute: isLoopback(issuer) ? [allowInsecureRequests] : [],
  });
  const metadata = found.serverMetadata();
  // It calls itself by another name.
  if (metadata.issuer !== issuer) throw new Refusal('sign-in-not-verified');
  return metadata;
};

/** Nobody answered in time, or the answer was that the provider is not well. */
export const isAway = (error: unknown): boolean => {
  if (error instanceof TypeError) return true;
  if (!(error instanceof ClientError)) return false;
  return error.code === 'OAUTH_TIMEOUT' || (error.cause instanceof Response && error.cause.status >= 500);
};

/** Descriptions of providers (OpenID Connect Discovery 1.0), remembered. Many that ask at once share one question. */
export const openDiscovery = (now: () => number = Date.now): Discovery => {
  const known = new Map<string, Known>();
  const asking = new Map<string, Promise<ServerMetadata>>();
  const ask = async (issuer: string, before: Known | undefined): Promise<ServerMetadata> => {
    try {
      const metadata = await askProvider(issuer);
      known.set(issuer, { metadata, at: now() });
      return metadata;
    } catch (error) {
      if (before && isAway(error) && now() - before.at < goodFor) return before.metadata;
      known.delete(issuer);
      throw error;
    }
  };
  return {
    metadataOf: async (issuer) => {
      const before = known.get(issuer);
      if (before && now() - before.at < freshFor) return before.metadata;
      const running = asking.get(issuer) ?? ask(issuer, before).finally(() => asking.delete(issuer));
      asking.set(issuer, running);
      return running;
    },
    forget: (issuer) => void known.delete(issuer),
  };
};
