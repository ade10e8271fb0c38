type Values = Readonly<Record<string, unknown>>;

export interface Merged<V extends Values> {
  /** What was written, with what others wrote where nobody wrote here. */
  readonly values: V;
  /** Fields that somebody else has changed meanwhile. */
  readonly theirs: readonly (keyof V & string)[];
  /** Of these, fields that were written here too. */
  readonly both: readonly (keyof V & string)[];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * What was written on top of `basis`, now on top of what the archive has: field by field, nobody's change is lost in silence. Fields that
 * the form does not have any more are left out.
 */
export const mergedOf = <V extends Values>(basis: Values, mine: Values, now: V): Merged<V> => {
  const fields = Object.keys(now) as (keyof V & string)[];
  const known = fields.filter((field) => Object.hasOwn(mine, field) && Object.hasOwn(basis, field));
  const written = known.filter((field) => !isSame(mine[field], basis[field]));
  const theirs = known.filter((field) => !isSame(now[field], basis[field]));
  const values = Object.fromEntries(fields.map((field) => [field, written.includes(field) ? mine[field] : now[field]]));
  return {
    values: values as V,
    theirs,
    both: theirs.filter((field) => written.includes(field) && !isSame(mine[field], now[field])),
  };
};
