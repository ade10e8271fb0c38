/** Things that one tab of the browser has at a time: an import is sent by the tab that has it, and by no other. */
export interface TabHolds {
  /** True: it is this tab's from now on, until it lets go or is closed. Where the browser has no locks every tab has everything. */
  readonly take: (id: string) => Promise<boolean>;
  readonly letGo: (id: string) => Promise<void>;
  readonly letAllGo: () => Promise<void>;
}

export const createTabHolds = (
  prefix: string,
  locks: LockManager | undefined = typeof navigator === 'undefined' ? undefined : navigator.locks,
): TabHolds => {
  const held = new Map<string, { readonly open: () => void; readonly gone: Promise<unknown> }>();

  const letGo = async (id: string) => {
    const mine = held.get(id);
    held.delete(id);
    mine?.open();
    await mine?.gone;
  };

  return {
    take: (id) => {
      if (!locks || held.has(id)) return Promise.resolve(true);
      return new Promise((resolve) => {
        const until = Promise.withResolvers<void>();
        const gone = locks
          .request(`${prefix}${id}`, { ifAvailable: true }, (lock) => {
            resolve(lock !== null);
            if (!lock) held.delete(id);
            return lock ? until.promise : undefined;
          })
          .catch(() => resolve(true));
        held.set(id, { open: until.resolve, gone });
      });
    },
    letGo,
    letAllGo: async () => {
      await Promise.all([...held.keys()].map(letGo));
    },
  };
};
