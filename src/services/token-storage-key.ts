/** Prefix of the storage key, as in oidc-client-ts. */
const prefix = 'oidc.user:';

/** Returns the storage key of a client's tokens. */
export const tokenStorageKey = (origin: string, clientId: string): string => `${prefix}${origin}:${clientId}`;

/** Returns whether tokens of this archive are stored, valid or not. */
export const hasStoredTokens = (origin: string, store: Storage): boolean =>
  Object.keys(store).some((name) => name.startsWith(tokenStorageKey(origin, '')));
