/** A value stored in the archive with a version, and its local state (optimistic concurrency). */
export interface Versioned<Value> {
  readonly value: Value;
  /** The newest value known from the archive. Version 0: nothing is stored. */
  readonly confirmed: { readonly value: Value; readonly version: number };
  /** The version on which an unsaved change is based; null without one. */
  readonly basedOn: number | null;
  /** The archive rejected a change because it has a newer value than `confirmed`, which was not fetched yet. */
  readonly isOutdated: boolean;
}

export const createVersioned = <Value>(value: Value, version: number): Versioned<Value> => ({
  value,
  confirmed: { value, version },
  basedOn: null,
  isOutdated: false,
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Compares plain values deeply, independent of key order (which differs after a round trip). */
export const isEqual = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(Reflect.get(one, key), Reflect.get(other, key)))
  );
};

const withValue = <Value>(versioned: Versioned<Value>, value: Value): Versioned<Value> =>
  isEqual(versioned.value, value) ? versioned : { ...versioned, value };

/** Applies a value from the archive, unless there is an unsaved change. Older versions are ignored. */
export const withConfirmed = <Value>(versioned: Versioned<Value>, value: Value, version: number): Versioned<Value> => {
  if (version < versioned.confirmed.version) return versioned;
  const confirmed =
    version === versioned.confirmed.version && isEqual(value, versioned.confirmed.value)
      ? versioned.confirmed
      : { value, version };
  const isOutdated = versioned.isOutdated && version === versioned.confirmed.version;
  const known = confirmed === versioned.confirmed ? versioned : { ...versioned, confirmed, isOutdated };
  return versioned.basedOn === null ? withValue(known, confirmed.value) : known;
};

/** Applies a change of the user. */
export const withChange = <Value>(versioned: Versioned<Value>, value: Value): Versioned<Value> =>
  isEqual(versioned.value, value)
    ? versioned
    : { ...versioned, value, basedOn: versioned.basedOn ?? versioned.confirmed.version };

/** Marks `sent` as saved with `version`. Later changes are based on it. */
export const withSaved = <Value>(versioned: Versioned<Value>, sent: Value, version: number): Versioned<Value> => {
  const confirmed = version >= versioned.confirmed.version ? { value: sent, version } : versioned.confirmed;
  if (!isEqual(versioned.value, sent)) return { ...versioned, confirmed, basedOn: version, isOutdated: false };
  return {
    value: isEqual(versioned.value, confirmed.value) ? versioned.value : confirmed.value,
    confirmed,
    basedOn: null,
    isOutdated: false,
  };
};

/** Reverts a rejected change to the confirmed value. `isOvertaken`: the archive has a newer value. */
export const withRejected = <Value>(versioned: Versioned<Value>, isOvertaken: boolean): Versioned<Value> => ({
  ...versioned,
  value: versioned.confirmed.value,
  basedOn: null,
  // The newer value may have arrived before the rejection.
  isOutdated: isOvertaken && versioned.confirmed.version === versioned.basedOn,
});
