/** Locks held by one tab at a time: an import is uploaded by one tab only. */
export interface TabLocks {
  /** Returns true if this tab now holds the lock, until release or close. Without Web Locks always true. */
  readonly acquire: (id: string) => Promise<boolean>;
  readonly release: (id: string) => Promise<void>;
  readonly releaseAll: () => Promise<void>;
}

export const createTabLocks = (
  prefix: string,
  locks: LockManager | undefined = typeof navigator === 'undefined' ? undefined : navigator.locks,
): TabLocks => {
  const locksHeld = new Map<string, { readonly open: () => void; readonly released: Promise<unknown> }>();

  const release = async (id: string) => {
    const mine = locksHeld.get(id);
    locksHeld.delete(id);
    mine?.open();
    await mine?.released;
  };

  return {
    acquire: (id) => {
      if (!locks || locksHeld.has(id)) return Promise.resolve(true);
      return new Promise((resolve) => {
        const until = Promise.withResolvers<void>();
        const released = locks
          .request(`${prefix}${id}`, { ifAvailable: true }, (lock) => {
            resolve(lock !== null);
            if (!lock) locksHeld.delete(id);
            return lock ? until.promise : undefined;
          })
          .catch(() => resolve(true));
        locksHeld.set(id, { open: until.resolve, released: released });
      });
    },
    release,
    releaseAll: async () => {
      await Promise.all([...locksHeld.keys()].map(release));
    },
  };
};
