import type { Mark } from '../../../contract/displays.ts';

/** Returns whether `after` has a mark that `before` lacks. */
export const isMarkAdded = (before: readonly Mark[], after: readonly Mark[]): boolean =>
  after.some((mark) => !before.some(({ id }) => id === mark.id));
