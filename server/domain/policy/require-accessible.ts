import { ProblemError } from '../problem-error.ts';
import { canUseClinic } from './can-use-clinic.ts';
import type { Principal } from './principal.ts';

/** Returns the row. A missing record and one of a clinic that the caller may not use give the same 'not-found', so its existence stays hidden. */
export const requireAccessible = <Row extends { customer_id: string }>(
  principal: Principal,
  row: Row | undefined,
): Row => {
  if (!row || !canUseClinic(principal, row.customer_id)) throw new ProblemError('not-found');
  return row;
};
