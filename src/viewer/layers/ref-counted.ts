/** Reference-counted resources: created once per key, freed with the last release. */
export interface RefCounted<Key, Value> {
  /** Acquires the resource of `key`; every call needs a `release`. */
  readonly acquire: (key: Key) => Value;
  readonly release: (key: Key) => void;
  readonly all: () => Iterable<Value>;
}

export const createRefCounted = <Key, Made>(
  make: (key: Key) => Made,
  free: (made: Made) => void,
): RefCounted<Key, Made> => {
  const entries = new Map<Key, { readonly made: Made; users: number }>();
  return {
    acquire: (key) => {
      const entry = entries.get(key) ?? { made: make(key), users: 0 };
      entry.users++;
      entries.set(key, entry);
      return entry.made;
    },
    release: (key) => {
      const entry = entries.get(key);
      if (!entry) return;
      entry.users--;
      if (entry.users > 0) return;
      entries.delete(key);
      free(entry.made);
    },
    all: () => [...entries.values()].map(({ made }) => made),
  };
};
