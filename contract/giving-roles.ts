import { type Claim, isClaim, isLimit } from './claims.ts';
import { isHighest } from './role-rules.ts';
import type { Role } from './roles.ts';

/*
 * Who may give which role to whom, and so administer those who hold it: whoever may set a person's password can become them. The archive holds every
 * change of people to these rules; the pages ask them beforehand.
 */

/** Nobody gives a role above their own rank (0 is the highest), nor administers somebody who holds one. */
export const isWithinRank = (own: Pick<Role, 'rank'>, role: Pick<Role, 'rank'>): boolean => role.rank >= own.rank;

/**
 * Nor a role, of whatever rank, that may do what they may not: these rights. Limits (`disable.*`) do not count: they shape a place of work, and an
 * administrator who opens no images hires doctors all the same.
 */
export const rightsBeyond = (own: Pick<Role, 'claims'>, role: Pick<Role, 'claims'>): readonly Claim[] =>
  role.claims.filter((claim) => !isLimit(claim) && !own.claims.includes(claim)).filter(isClaim);

/** Super administrators belong to no clinic (null), and everybody else to one. */
export const fitsClinic = (role: Pick<Role, 'name' | 'isBuiltIn'>, customerId: string | null): boolean =>
  isHighest(role) === (customerId === null);

/** Whether the role stands in a list of those that one may give to a person of that clinic. */
export const mayGiveRole = (
  own: Pick<Role, 'rank' | 'claims'>,
  role: Pick<Role, 'rank' | 'claims' | 'name' | 'isBuiltIn'>,
  customerId: string | null,
): boolean => isWithinRank(own, role) && rightsBeyond(own, role).length === 0 && fitsClinic(role, customerId);
