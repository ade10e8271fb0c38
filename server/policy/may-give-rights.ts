import { type Claim, isClaim, isLimit } from '../../contract/claims.ts';

/** What somebody may do who had nothing yet but was bound by the same limits. */
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
