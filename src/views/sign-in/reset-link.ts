import { z } from 'zod';

const resetLink = z.object({ id: z.uuid(), SecurityStamp: z.string().min(1).max(200) });
/** Parameters in the hash of the link; browsers do not send the hash to servers. */
export type ResetLink = z.infer<typeof resetLink>;

const key = 'dentarium.reset-link';

/** Moves the secret of the link from the address bar to session storage. */
export const storeResetLink = (): void => {
  const { hash, pathname, search } = window.location;
  if (hash.length < 2) return;
  const found = resetLink.safeParse(Object.fromEntries(new URLSearchParams(hash.slice(1))));
  if (found.success) sessionStorage.setItem(key, JSON.stringify(found.data));
  else forgetResetLink();
  window.history.replaceState(window.history.state, '', pathname + search);
};

/** Returns the stored link of this tab; null when there is none. */
export const storedResetLink = (): ResetLink | null => {
  try {
    return resetLink.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null')).data ?? null;
  } catch {
    return null;
  }
};

export const forgetResetLink = (): void => sessionStorage.removeItem(key);
