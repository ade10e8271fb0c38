/** Things made once for everybody who needs them, and freed when the last one lets go. */
export interface HeldOnce<Key, Made> {
  /** Takes hold of what belongs to `key`; each must be let go again. */
  readonly hold: (key: Key) => Made;
  readonly release: (key: Key) => void;
  readonly all: () => Iterable<Made>;
}

export const createHeldOnce = <Key, Made>(
  make: (key: Key) => Made,
  free: (made: Made) => void,
): HeldOnce<Key, Made> => {
  const entries = new Map<Key, { readonly made: Made; holders: number }>();
  return {
    hold: (key) => {
      const entry = entries.get(key) ?? { made: make(key), holders: 0 };
      entry.holders++;
      entries.set(key, entry);
      return entry.made;
    },
    release: (key) => {
      const entry = entries.get(key);
      if (!entry) return;
      entry.holders--;
      if (entry.holders > 0) return;
      entries.delete(key);
      free(entry.made);
    },
    all: () => [...entries.values()].map(({ made }) => made),
  };
};
