/** What the name of stored tokens begins with, before the address of the archive and the client: as oidc-client-ts names them. */
const prefix = 'oidc.user:';

/** The name under which the tokens of a client lie in the store. */
export const storedName = (origin: string, clientId: string): string => `${prefix}${origin}:${clientId}`;

/** Does the store have tokens of this archive? They may be good no more. */
export const hasStored = (origin: string, store: Storage): boolean =>
  Object.keys(store).some((name) => name.startsWith(storedName(origin, '')));
