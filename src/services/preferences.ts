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
  /** Heard after every change, in this tab or another. Returns the function that stops listening. */
  subscribe(listener: () => void): () => void;
}

const storageKey = 'dentarium.preferences';
const none: Preferences = { language: null, theme: 'mixed', hiddenOverlays: [] };

/** What a person likes, kept in the browser. What is stored may be old, foreign or broken: the readable part of it counts. */
export const createPreferences = (store: TextStore): PreferenceStore => {
  const listeners = new Set<() => void>();
  const read = (): Preferences => {
    try {
      return preferences.safeParse(JSON.parse(store.getItem(storageKey) ?? '{}')).data ?? none;
    } catch {
      return none;
    }
  };
  let held = read();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };

  if (typeof window !== 'undefined')
    window.addEventListener('storage', (event) => {
      if (event.key !== storageKey && event.key !== null) return;
      held = read();
      tell();
    });

  return {
    current: () => held,
    change: (changed) => {
      held = { ...held, ...changed };
      try {
        store.setItem(storageKey, JSON.stringify(held));
      } catch {
        // A full or forbidden store: the choice lasts until the tab is closed.
      }
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
