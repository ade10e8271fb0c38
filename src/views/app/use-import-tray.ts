import { useState } from 'react';

/** Where the panel is open: everywhere, because the user opened it; or only with the patient whose import opened it. */
type OpenAt = 'everywhere' | { readonly patientId: string } | null;

const patientOf = (path: string): string | null => /^\/patient\/([^/]+)/.exec(path)?.[1] ?? null;

/** Controls the panel of imports, which the import page replaces. `path`: that of the page. */
export const useImportTray = (path: string) => {
  const [openAt, setOpenAt] = useState<OpenAt>(null);
  const patientId = patientOf(path);
  const isHere = openAt === 'everywhere' || (openAt !== null && openAt.patientId === patientId);
  const isOpen = isHere && path !== '/import';
  return {
    isOpen,
    /** An import of the patient on the page has started. */
    onImportStarted: () => patientId !== null && setOpenAt({ patientId }),
    toggle: () => setOpenAt(isOpen ? null : 'everywhere'),
    close: () => setOpenAt(null),
  };
};
