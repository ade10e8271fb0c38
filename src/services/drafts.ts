import { z } from 'zod';
import type { TextStore } from './tokens.ts';

const draft = z.object({
  /** What it belongs to; there is one draft of each. */
  key: z.string(),
  /** The address at which it was begun. */
  place: z.string(),
  /** What it is about, and what was written: only who keeps it knows more. */
  what: z.looseObject({ kind: z.string() }),
  content: z.unknown(),
  /** Milliseconds since 1970. */
  keptAt: z.number(),
});
export type Draft = z.infer<typeof draft>;

const kept = z.object({ account: z.string().nullable(), drafts: z.array(draft) });
type Kept = z.infer<typeof kept>;

/** Work that the archive does not have yet, kept for the person who did it. */
export interface Drafts {
  /** All that is kept; the same array until something changes. */
  readonly all: () => readonly Draft[];
  /** What nobody is at work on: to be offered. The same array until something changes. */
  readonly offered: () => readonly Draft[];
  readonly find: (key: string) => Draft | null;
  readonly keep: (draft: Omit<Draft, 'keptAt'>) => void;
  /** It was saved, or is not wanted any more. */
  readonly drop: (key: string) => void;
  /** Somebody is at work on it. Returns the function that says they no longer are. */
  readonly hold: (key: string) => () => void;
  /** It is to be gone on with: whoever can, takes it. Null: nobody needs to any more. */
  readonly resume: (key: string | null) => void;
  readonly resumed: () => string | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** What is too old goes, although nobody looks. */
  readonly purge: () => void;
  /** This person has signed in: what was kept for another one is gone. */
  readonly belongTo: (accountId: string) => void;
  /** The person left of their own will: nothing is kept, in no tab. */
  readonly forgetAll: () => void;
}

export interface DraftsOptions {
  /** Of this tab alone, so that nothing stays on a workstation that others use. */
  readonly tabStore: TextStore;
  /** Of all tabs: here they tell each other that somebody has signed out. */
  readonly sharedStore: TextStore;
  readonly now?: () => number;
}

const storageKey = 'dentarium.drafts';
const forgottenKey = 'dentarium.drafts.forgotten';
/** A working day. */
const longestMs = 12 * 60 * 60_000;
const nothing: Kept = { account: null, drafts: [] };

/** Drafts survive a reload of the tab, a crash, and a sign-in on other pages; not the tab, not the day, not another person. */
export const createDrafts = ({ tabStore, sharedStore, now = Date.now }: DraftsOptions): Drafts => {
  const listeners = new Set<() => void>();
  const held = new Map<string, number>();
  let wanted: string | null = null;

  const read = (): Kept => {
    try {
      const stored = kept.parse(JSON.parse(tabStore.getItem(storageKey) ?? 'null') ?? nothing);
      return { ...stored, drafts: stored.drafts.filter(({ keptAt }) => now() - keptAt < longestMs) };
    } catch {
      return nothing;
    }
  };
  let state = read();
  let offered: readonly Draft[] = state.drafts;

  const tell = () => {
    offered = state.drafts.filter(({ key }) => !held.has(key));
    for (const listener of [...listeners]) listener();
  };
  const change = (next: Kept) => {
    state = next;
    try {
      if (next.drafts.length === 0 && next.account === null) tabStore.removeItem(storageKey);
      else tabStore.setItem(storageKey, JSON.stringify(next));
    } catch {
      // A full or forbidden store: what is kept lasts as long as the page.
    }
    tell();
  };
  const forget = () => {
    wanted = null;
    change(nothing);
  };
  const withoutOld = () => state.drafts.filter(({ keptAt }) => now() - keptAt < longestMs);

  if (typeof window !== 'undefined')
    window.addEventListener('storage', ({ key, newValue }) => {
      if (key === forgottenKey && newValue !== null) forget();
    });

  return {
    all: () => state.drafts,
    offered: () => offered,
    find: (key) => withoutOld().find((one) => one.key === key) ?? null,
    keep: (one) => {
      // A form that closes behind somebody who has signed out writes for nobody.
      if (state.account === null) return;
      const others = withoutOld().filter(({ key }) => key !== one.key);
      change({ ...state, drafts: [...others, { ...one, keptAt: now() }] });
    },
    drop: (key) => {
      if (wanted === key) wanted = null;
      if (state.drafts.some((one) => one.key === key))
        change({ ...state, drafts: state.drafts.filter((one) => one.key !== key) });
    },
    hold: (key) => {
      held.set(key, (held.get(key) ?? 0) + 1);
      tell();
      return () => {
        const left = (held.get(key) ?? 1) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
        tell();
      };
    },
    resume: (key) => {
      wanted = key;
      tell();
    },
    resumed: () => wanted,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    purge: () => {
      const drafts = withoutOld();
      if (drafts.length < state.drafts.length) change({ ...state, drafts });
    },
    belongTo: (account) => {
      change({ account, drafts: state.account === account ? withoutOld() : [] });
    },
    forgetAll: () => {
      forget();
      try {
        sharedStore.setItem(forgottenKey, String(now()));
        sharedStore.removeItem(forgottenKey);
      } catch {
        // Other tabs then forget when another person signs in, or at the end of the day.
      }
    },
  };
};
