import { type Claim, isClaim, isLimit } from './claims.ts';
import { isHighest } from './role-rules.ts';
import type { Role } from './roles.ts';

/*
 * Rules for assigning roles, and thus for administering the users who hold them: setting a password gives access to the account. The server
 * enforces them on every change of a user; the pages use them to disable commands.
 */

/** Whether a role is not above the caller's own rank (0 is the highest). */
export const isWithinRank = (own: Pick<Role, 'rank'>, role: Pick<Role, 'rank'>): boolean => role.rank >= own.rank;

/**
 * Returns the rights of a role that the caller does not have. Limits (`disable.*`) do not count: an administrator who may not open
 * images can still assign the role of a doctor.
 */
export const excessRights = (own: Pick<Role, 'claims'>, role: Pick<Role, 'claims'>): readonly Claim[] =>
  role.claims.filter((claim) => !isLimit(claim) && !own.claims.includes(claim)).filter(isClaim);

/** Whether a role fits a clinic: super administrators have none (null), all other users have one. */
export const fitsClinic = (role: Pick<Role, 'name' | 'isBuiltIn'>, customerId: string | null): boolean =>
  isHighest(role) === (customerId === null);

/** Whether the caller may assign a role to a user of that clinic. */
export const canAssignRole = (
  own: Pick<Role, 'rank' | 'claims'>,
  role: Pick<Role, 'rank' | 'claims' | 'name' | 'isBuiltIn'>,
  customerId: string | null,
): boolean => isWithinRank(own, role) && excessRights(own, role).length === 0 && fitsClinic(role, customerId);
