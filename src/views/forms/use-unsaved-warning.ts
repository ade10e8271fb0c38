import { useEffect } from 'react';

/** The browser asks before it leaves or reloads the page while something is not saved. */
export const useUnsavedWarning = (dirty: boolean): void => {
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
};
