import { z } from 'zod';

const resetLink = z.object({ id: z.uuid(), SecurityStamp: z.string().min(1).max(200) });
/** What the link of the mail carries behind its hash, which browsers send to nobody. */
export type ResetLink = z.infer<typeof resetLink>;

const key = 'dentarium.reset-link';

/** Takes the link's secret out of the address bar, where it would be seen and kept, and holds it for as long as the tab lives. */
export const keepResetLink = (): void => {
  const { hash, pathname, search } = window.location;
  if (hash.length < 2) return;
  const found = resetLink.safeParse(Object.fromEntries(new URLSearchParams(hash.slice(1))));
  if (found.success) sessionStorage.setItem(key, JSON.stringify(found.data));
  else forgetResetLink();
  window.history.replaceState(window.history.state, '', pathname + search);
};

/** The link by which this tab came; null when it came without one. */
export const heldResetLink = (): ResetLink | null => {
  try {
    return resetLink.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null')).data ?? null;
  } catch {
    return null;
  }
};

export const forgetResetLink = (): void => sessionStorage.removeItem(key);
