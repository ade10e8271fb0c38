import { z } from 'zod';
import type { TextStore } from './tokens.ts';

export const languageNames = ['sv', 'en', 'no', 'da'] as const;
export const themeNames = ['light', 'dark', 'mixed'] as const;

const preferences = z.object({
  language: z.enum(languageNames).nullable().catch(null),
  theme: z.enum(themeNames).catch('mixed'),
  hiddenOverlays: z.array(z.string()).catch([]),
});
export type Preferences = z.infer<typeof preferences>;

export interface PreferenceStore {
  current(): Preferences;
  change(changed: Partial<Preferences>): void;
  /** Called after every change, in any tab. Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

const storageKey = 'dentarium.preferences';
const none: Preferences = { language: null, theme: 'mixed', hiddenOverlays: [] };

/** Creates the preferences stored in the browser. Unreadable parts fall back to defaults. */
export const createPreferences = (store: TextStore): PreferenceStore => {
  const listeners = new Set<() => void>();
  const read = (): Preferences => {
    try {
      return preferences.safeParse(JSON.parse(store.getItem(storageKey) ?? '{}')).data ?? none;
    } catch {
      return none;
    }
  };
  let current_ = read();
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };

  if (typeof window !== 'undefined')
    window.addEventListener('storage', (event) => {
      if (event.key !== storageKey && event.key !== null) return;
      current_ = read();
      notify();
    });

  return {
    current: () => current_,
    change: (changed) => {
      current_ = { ...current_, ...changed };
      try {
        store.setItem(storageKey, JSON.stringify(current_));
      } catch {
        // Storage is full or forbidden: the choice lasts until the tab is closed.
      }
      notify();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
