/** What other tabs of the same origin do to the store: `storage` events never come from the own tab. */
export const watchSignOut = (storageKey: string, onSignedOut: () => void): (() => void) => {
  const listen = (event: StorageEvent) => {
    // A cleared storage has no key at all.
    if (event.key === null || (event.key === storageKey && event.newValue === null)) onSignedOut();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
};
