import { accountOf, readStored } from './stored-tokens.ts';

/** Returns the account of stored tokens; null if missing or unreadable. */
const storedAccount = (stored: string | null): string | null => {
  const tokens = readStored(stored);
  return tokens && accountOf(tokens);
};

/** Returns whether a storage event ends this tab's session: sign-out, or sign-in of another account. */
export const endsSession = (
  event: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>,
  storageKey: string,
): boolean => {
  // The key is null when the storage was cleared.
  if (event.key === null) return true;
  return (
    event.key === storageKey &&
    (event.newValue === null || storedAccount(event.oldValue) !== storedAccount(event.newValue))
  );
};

/** Watches sign-outs in other tabs. Returns the function that stops it. */
export const watchSignOut = (storageKey: string, onEnded: () => void): (() => void) => {
  const listen = (event: StorageEvent) => {
    if (endsSession(event, storageKey)) onEnded();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
};
