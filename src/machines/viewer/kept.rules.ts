/** One value that the archive keeps for everybody, as it is here. */
export interface Kept<Value> {
  readonly value: Value;
  /** The archive's newest word on it. Version 0: nothing was kept yet. */
  readonly told: { readonly value: Value; readonly version: number };
  /** The version on which a change that the archive does not have yet is based; null when there is none. */
  readonly basedOn: number | null;
}

export const keptOf = <Value>(value: Value, version: number): Kept<Value> => ({
  value,
  told: { value, version },
  basedOn: null,
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The same plain value, whatever the order of its keys: the wire has another than the hand. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(Reflect.get(one, key), Reflect.get(other, key)))
  );
};

const withValue = <Value>(kept: Kept<Value>, value: Value): Kept<Value> =>
  isSame(kept.value, value) ? kept : { ...kept, value };

/** The archive says what it has. It replaces what is here unless a person has changed that; an older word than the last is no news. */
export const heard = <Value>(kept: Kept<Value>, value: Value, version: number): Kept<Value> => {
  if (version < kept.told.version) return kept;
  const told = version === kept.told.version && isSame(value, kept.told.value) ? kept.told : { value, version };
  const known = told === kept.told ? kept : { ...kept, told };
  return kept.basedOn === null ? withValue(known, told.value) : known;
};

/** A person changed it. */
export const changed = <Value>(kept: Kept<Value>, value: Value): Kept<Value> =>
  isSame(kept.value, value) ? kept : { ...kept, value, basedOn: kept.basedOn ?? kept.told.version };

/** The archive has taken `sent` as `version`. What was changed meanwhile is based on it. */
export const saved = <Value>(kept: Kept<Value>, sent: Value, version: number): Kept<Value> => {
  const told = version >= kept.told.version ? { value: sent, version } : kept.told;
  if (!isSame(kept.value, sent)) return { ...kept, told, basedOn: version };
  return { value: isSame(kept.value, told.value) ? kept.value : told.value, told, basedOn: null };
};

/** The archive has refused a change: what it said last is the truth. */
export const takenBack = <Value>(kept: Kept<Value>): Kept<Value> => ({
  ...kept,
  value: kept.told.value,
  basedOn: null,
});
