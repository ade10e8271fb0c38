import { type Claim, isClaim, isLimit, type RoleName } from './claims.ts';
import type { ProblemCode } from './problem.ts';
import type { Role } from './roles.ts';

/*
 * Who may change which role, and give what by it. The archive holds every change to these rules; the page of roles asks them beforehand, so that
 * nobody fills in what will be refused.
 */

/** The built-in role of those who administer the installation. Its rights never change, and its holders belong to no clinic. */
const highest: RoleName = 'SuperAdmin';
export const isHighest = (role: Pick<Role, 'name' | 'isBuiltIn'>): boolean => role.isBuiltIn && role.name === highest;

/** One decides about ranks below one's own (0 is the highest). The highest decide about their equals too, as nobody else could. */
export const mayDecideAboutRank = (own: Pick<Role, 'rank'>, rank: number): boolean => rank > own.rank || own.rank === 0;

/** The highest rank that somebody may give to a role. */
export const highestRankToGive = (own: Pick<Role, 'rank'>): number => (own.rank === 0 ? 0 : own.rank + 1);

/** Nobody changes the role that they hold themself, nor one of a rank that is not below theirs. Null: they may. */
const whyNotTouch = (own: Pick<Role, 'id' | 'rank'>, role: Pick<Role, 'id' | 'rank'>): ProblemCode | null => {
  if (role.id === own.id) return 'own-role';
  return mayDecideAboutRank(own, role.rank) ? null : 'own-rank';
};

/** Name, rank, and whether it is there at all: those of the built-in roles stay. Null: they may. */
export const whyNotRename = (own: Pick<Role, 'id' | 'rank'>, role: Role): ProblemCode | null =>
  whyNotTouch(own, role) ?? (role.isBuiltIn ? 'role-built-in' : null);

/** What a role may do. Null: they may change it. */
export const whyNotChangeRights = (own: Pick<Role, 'id' | 'rank'>, role: Role): ProblemCode | null =>
  whyNotTouch(own, role) ?? (isHighest(role) ? 'role-built-in' : null);

/** What somebody may do who has nothing yet but is under the same limits: what a new role is compared with. */
export const nothingBut = (own: readonly string[]): readonly string[] => own.filter(isLimit);

/**
 * Nobody gives a right that they do not have, nor lifts a limit (`disable.*`) that they are under themself. What is taken away, and what was there
 * before, is nobody's gift. Answers with the claims of the giver that stand in the way: none, when the change may be made.
 */
export const claimsInTheWay = (
  own: readonly string[],
  before: readonly string[],
  after: readonly string[],
): readonly Claim[] => {
  const given = after.filter((claim) => !isLimit(claim) && !before.includes(claim) && !own.includes(claim));
  const lifted = before.filter((claim) => isLimit(claim) && !after.includes(claim) && own.includes(claim));
  return [...given, ...lifted].filter(isClaim);
};
