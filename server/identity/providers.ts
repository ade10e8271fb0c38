import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { KeyRing, Keys } from './keys.ts';
import { identityProvider, type ProviderOptions } from './provider.ts';

export interface Providers {
  /** Returns the provider for the current keys. */
  current(): Provider;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Caches the provider and creates a new one when the keys change, because oidc-provider takes its keys at construction. Running requests finish with
 * the previous one.
 */
export const providersOf = (options: ProviderOptions, keys: Keys): Providers => {
  const make = (ring: KeyRing) => {
    const provider = identityProvider(options, ring);
    return { ring, provider, handle: provider.callback() };
  };
  let provider = make(keys.current());
  const fresh = () => {
    const ring = keys.current();
    if (ring.name !== provider.ring.name) provider = make(ring);
    return provider;
  };
  return {
    current: () => fresh().provider,
    handle: (request, response) => fresh().handle(request, response),
  };
};
