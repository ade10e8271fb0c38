/** A transition that no generated path can take, with the reason. */
export interface Exception {
  readonly machine: string;
  /** Name by `nameOf`. */
  readonly transition: string;
  readonly reason: string;
}

/** Transitions that generated paths need not cover. An exception that is covered is an error. */
export const exceptions: readonly Exception[] = [];

/** Returns the excepted transitions of a machine. */
export const exceptionsOf = (machine: string): readonly string[] =>
  exceptions.filter((one) => one.machine === machine).map(({ transition }) => transition);
