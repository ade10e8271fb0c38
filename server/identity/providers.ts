import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { KeyRing, Keys } from './keys.ts';
import { identityProvider, type ProviderOptions } from './provider.ts';

export interface Providers {
  /** Under the keys of this moment. */
  current(): Provider;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** oidc-provider takes its keys when it is made, so when the keys change another one is made. Requests in hand end with the one they began with. */
export const providersOf = (options: ProviderOptions, keys: Keys): Providers => {
  const make = (ring: KeyRing) => {
    const provider = identityProvider(options, ring);
    return { ring, provider, handle: provider.callback() };
  };
  let made = make(keys.current());
  const fresh = () => {
    const ring = keys.current();
    if (ring.name !== made.ring.name) made = make(ring);
    return made;
  };
  return {
    current: () => fresh().provider,
    handle: (request, response) => fresh().handle(request, response),
  };
};
