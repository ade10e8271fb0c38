/** Locks held by one tab at a time: an import is uploaded by one tab only. */
export interface TabLocks {
  /** Resolves with true when this tab holds the lock, until `release` or until the tab closes. Without the Web Locks API always true. */
  readonly acquire: (id: string) => Promise<boolean>;
  readonly release: (id: string) => Promise<void>;
  readonly releaseAll: () => Promise<void>;
}

export const createTabLocks = (
  prefix: string,
  locks: LockManager | undefined = typeof navigator === 'undefined' ? undefined : navigator.locks,
): TabLocks => {
  const heldLocks = new Map<string, { readonly unlock: () => void; readonly released: Promise<unknown> }>();

  const release = async (id: string) => {
    const held = heldLocks.get(id);
    heldLocks.delete(id);
    held?.unlock();
    await held?.released;
  };

  return {
    acquire: (id) => {
      if (!locks || heldLocks.has(id)) return Promise.resolve(true);
      return new Promise((resolve) => {
        const unlocked = Promise.withResolvers<void>();
        const released = locks
          .request(`${prefix}${id}`, { ifAvailable: true }, (lock) => {
            resolve(lock !== null);
            if (!lock) heldLocks.delete(id);
            return lock ? unlocked.promise : undefined;
          })
          // A failed lock request must not stop the upload.
          .catch(() => resolve(true));
        heldLocks.set(id, { unlock: unlocked.resolve, released });
      });
    },
    release,
    releaseAll: async () => {
      await Promise.all([...heldLocks.keys()].map(release));
    },
  };
};
