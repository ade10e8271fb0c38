import { type Claim, isClaim, isLimit, type RoleName } from './claims.ts';
import type { ProblemCode } from './problem.ts';
import type { Role } from './roles.ts';

/*
 * Rules for changing roles and their rights. The server enforces them on every change; the page of roles uses them to disable commands
 * that would fail.
 */

/** The built-in role of administrators of the installation. Its rights never change, and its users have no clinic. */
const highest: RoleName = 'SuperAdmin';
export const isHighest = (role: Pick<Role, 'name' | 'isBuiltIn'>): boolean => role.isBuiltIn && role.name === highest;

/** Whether the caller may administer roles of a rank: those below the own rank (0 is the highest); rank 0 also its own. */
export const canAdministerRank = (own: Pick<Role, 'rank'>, rank: number): boolean => rank > own.rank || own.rank === 0;

/** Returns the highest rank that the caller may assign to a role. */
export const highestAssignableRank = (own: Pick<Role, 'rank'>): number => (own.rank === 0 ? 0 : own.rank + 1);

/** Returns why the caller may not change a role (the own role, or a rank that is not below the own), or null. */
const roleChangeProblem = (own: Pick<Role, 'id' | 'rank'>, role: Pick<Role, 'id' | 'rank'>): ProblemCode | null => {
  if (role.id === own.id) return 'own-role';
  return canAdministerRank(own, role.rank) ? null : 'own-rank';
};

/** Returns why the caller may not rename, re-rank or delete a role, or null. Built-in roles cannot be changed like this. */
export const roleRenameProblem = (own: Pick<Role, 'id' | 'rank'>, role: Role): ProblemCode | null =>
  roleChangeProblem(own, role) ?? (role.isBuiltIn ? 'role-built-in' : null);

/** Returns why the caller may not change the rights of a role, or null. */
export const rightsChangeProblem = (own: Pick<Role, 'id' | 'rank'>, role: Role): ProblemCode | null =>
  roleChangeProblem(own, role) ?? (isHighest(role) ? 'role-built-in' : null);

/** Returns the limits among the claims: the baseline with which a new role is compared. */
export const limitsOf = (own: readonly string[]): readonly string[] => own.filter(isLimit);

/**
 * Returns the claims that block a change of rights; empty when it is allowed. Users may not grant a right that they do not have, or remove
 * a limit (`disable.*`) that applies to themselves. Removed and unchanged rights are not checked.
 */
export const blockingClaims = (
  own: readonly string[],
  before: readonly string[],
  after: readonly string[],
): readonly Claim[] => {
  const given = after.filter((claim) => !isLimit(claim) && !before.includes(claim) && !own.includes(claim));
  const lifted = before.filter((claim) => isLimit(claim) && !after.includes(claim) && own.includes(claim));
  return [...given, ...lifted].filter(isClaim);
};
