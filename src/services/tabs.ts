import { holderOf, readStored } from './stored-tokens.ts';

/** Who the stored tokens belong to; null for nobody, and for what cannot be read. */
const storedHolder = (stored: string | null): string | null => {
  const tokens = readStored(stored);
  return tokens && holderOf(tokens);
};

/** Is a change of the store the end of this tab's session: signed out there, or somebody else signed in? */
export const endsSession = (
  event: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>,
  storageKey: string,
): boolean => {
  // A cleared storage has no key at all.
  if (event.key === null) return true;
  return (
    event.key === storageKey &&
    (event.newValue === null || storedHolder(event.oldValue) !== storedHolder(event.newValue))
  );
};

/** What other tabs of the same origin do to the store: `storage` events never come from the own tab. */
export const watchSignOut = (storageKey: string, onEnded: () => void): (() => void) => {
  const listen = (event: StorageEvent) => {
    if (endsSession(event, storageKey)) onEnded();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
};
