import type { TextStore } from './tokens.ts';

const storageKey = 'dentarium.clinic';

/** The clinic that a super administrator chose; it survives a reload of the tab. */
export interface ChosenClinic {
  readonly currentId: () => string | null;
  /** null: no clinic is chosen. */
  readonly save: (id: string | null) => void;
}

export const createChosenClinic = (store: TextStore): ChosenClinic => ({
  currentId: () => store.getItem(storageKey),
  save: (id) => {
    if (id === null) store.removeItem(storageKey);
    else store.setItem(storageKey, id);
  },
});
