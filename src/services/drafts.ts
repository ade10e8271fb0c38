import { z } from 'zod';
import type { TextStore } from './tokens.ts';

const draft = z.object({
  /** Identifies the edited object; there is one draft per key. */
  key: z.string(),
  /** The path at which it was started. */
  place: z.string(),
  /** Subject and content; their shape is known to the component that saves it. */
  what: z.looseObject({ kind: z.string() }),
  content: z.unknown(),
  /** Milliseconds since 1970. */
  keptAt: z.number(),
});
export type Draft = z.infer<typeof draft>;

const storedDrafts = z.object({ account: z.string().nullable(), drafts: z.array(draft) });
type StoredDrafts = z.infer<typeof storedDrafts>;

/** Unsaved work of the signed-in user. */
export interface Drafts {
  /** All drafts; the same array until something changes. */
  readonly all: () => readonly Draft[];
  /** Drafts that are not being edited. The same array until something changes. */
  readonly offered: () => readonly Draft[];
  readonly find: (key: string) => Draft | null;
  readonly save: (draft: Omit<Draft, 'keptAt'>) => void;
  /** Removes a draft that was saved or discarded. */
  readonly drop: (key: string) => void;
  /** Marks a draft as being edited. Returns the function that ends it. */
  readonly markInUse: (key: string) => () => void;
  /** Requests that the component for this draft resumes it; null withdraws the request. */
  readonly resume: (key: string | null) => void;
  readonly resumed: () => string | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** Removes expired drafts. */
  readonly purge: () => void;
  /** Sets the signed-in account; drafts of another account are removed. */
  readonly setOwner: (accountId: string) => void;
  /** Deletes all drafts in every tab, after the user chose to sign out. */
  readonly clear: () => void;
}

export interface DraftsOptions {
  /** Storage of this tab, so that nothing stays on a shared workstation. */
  readonly tabStore: TextStore;
  /** Storage shared by all tabs: signals a sign-out. */
  readonly sharedStore: TextStore;
  readonly now?: () => number;
}

const storageKey = 'dentarium.drafts';
const forgottenKey = 'dentarium.drafts.forgotten';
/** A working day. */
const maxAgeMs = 12 * 60 * 60_000;
const purgeIntervalMs = 10 * 60_000;
const nothing: StoredDrafts = { account: null, drafts: [] };

/** Creates the store of drafts. They survive a reload and a new sign-in in the same tab, for 12 hours and the same account. */
export const createDrafts = ({ tabStore, sharedStore, now = Date.now }: DraftsOptions): Drafts => {
  const listeners = new Set<() => void>();
  const inUse = new Map<string, number>();
  let resumedKey: string | null = null;

  const read = (): StoredDrafts => {
    try {
      const stored = storedDrafts.parse(JSON.parse(tabStore.getItem(storageKey) ?? 'null') ?? nothing);
      return { ...stored, drafts: stored.drafts.filter(({ keptAt }) => now() - keptAt < maxAgeMs) };
    } catch {
      return nothing;
    }
  };
  let state = read();
  let offered: readonly Draft[] = state.drafts;

  const notify = () => {
    offered = state.drafts.filter(({ key }) => !inUse.has(key));
    for (const listener of [...listeners]) listener();
  };
  const update = (next: StoredDrafts) => {
    state = next;
    try {
      if (next.drafts.length === 0 && next.account === null) tabStore.removeItem(storageKey);
      else tabStore.setItem(storageKey, JSON.stringify(next));
    } catch {
      // Storage is full or forbidden: drafts last as long as the page.
    }
    notify();
  };
  const reset = () => {
    resumedKey = null;
    update(nothing);
  };
  const currentDrafts = () => state.drafts.filter(({ keptAt }) => now() - keptAt < maxAgeMs);

  if (typeof window !== 'undefined')
    window.addEventListener('storage', ({ key, newValue }) => {
      if (key === forgottenKey && newValue !== null) reset();
    });

  return {
    all: () => state.drafts,
    offered: () => offered,
    find: (key) => currentDrafts().find((one) => one.key === key) ?? null,
    save: (one) => {
      // A form that closes after sign-out must not save.
      if (state.account === null) return;
      const others = currentDrafts().filter(({ key }) => key !== one.key);
      update({ ...state, drafts: [...others, { ...one, keptAt: now() }] });
    },
    drop: (key) => {
      if (resumedKey === key) resumedKey = null;
      if (state.drafts.some((one) => one.key === key))
        update({ ...state, drafts: state.drafts.filter((one) => one.key !== key) });
    },
    markInUse: (key) => {
      inUse.set(key, (inUse.get(key) ?? 0) + 1);
      notify();
      return () => {
        const count = (inUse.get(key) ?? 1) - 1;
        if (count > 0) inUse.set(key, count);
        else inUse.delete(key);
        notify();
      };
    },
    resume: (key) => {
      resumedKey = key;
      notify();
    },
    resumed: () => resumedKey,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    purge: () => {
      const drafts = currentDrafts();
      if (drafts.length < state.drafts.length) update({ ...state, drafts });
    },
    setOwner: (account) => {
      update({ account, drafts: state.account === account ? currentDrafts() : [] });
    },
    clear: () => {
      reset();
      try {
        sharedStore.setItem(forgottenKey, String(now()));
        sharedStore.removeItem(forgottenKey);
      } catch {
        // Other tabs then remove drafts at the next sign-in of another user, or after 12 hours.
      }
    },
  };
};

/** Removes expired drafts of a page that stays open. */
export const purgeRegularly = (drafts: Pick<Drafts, 'purge'>): void => {
  setInterval(drafts.purge, purgeIntervalMs);
};
