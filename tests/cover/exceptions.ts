/** A transition that no generated path can take, and why. */
export interface Exception {
  readonly machine: string;
  /** As `nameOf` names it. */
  readonly transition: string;
  readonly reason: string;
}

/** Every transition must be walked along generated paths, but these. One that is walked after all fails, so that the list stays true. */
export const exceptions: readonly Exception[] = [];

/** The names of a machine's exceptions, in the order of its chart. */
export const exceptionsOf = (machine: string): readonly string[] =>
  exceptions.filter((one) => one.machine === machine).map(({ transition }) => transition);
