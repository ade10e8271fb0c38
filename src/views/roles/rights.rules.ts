import { type Claim, type ClaimGroup, claimGroups, isClaim, isLimit } from '../../../contract/claims.ts';
import { claimsInTheWay } from '../../../contract/role-rules.ts';

/** Groups in the order in which a page shows them: what everybody in a clinic does first. */
export const groupsShown: readonly ClaimGroup[] = ['disable', 'feature', 'user', 'customer', 'role'];

/** Of each group, what is looked for first; the others follow. */
const firstShown: readonly Claim[] = [
  ...(['disable.open', 'disable.new_patient', 'disable.new_study', 'disable.new_series'] as const),
  ...(['disable.new_template', 'disable.detach_image', 'disable.move_view_set', 'disable.move_study'] as const),
  ...(['disable.delete_view_set', 'disable.delete_study'] as const),
  ...(['user.get', 'user.get_any', 'user.get_info', 'user.get_sa', 'user.create', 'user.update'] as const),
  ...(['customer.get', 'customer.get_itself', 'customer.get_byid', 'customer.create', 'customer.update'] as const),
  ...(['role.get', 'role.create', 'role.update'] as const),
];

export const claimsOfGroup = (group: ClaimGroup): readonly Claim[] => {
  const all = claimGroups[group].map((name) => `${group}.${name}`).filter(isClaim);
  return [...firstShown.filter((claim) => all.includes(claim)), ...all.filter((claim) => !firstShown.includes(claim))];
};

/** A role may what a right gives it, and what no limit takes away. */
export const isAllowed = (claims: readonly string[], claim: Claim): boolean =>
  claims.includes(claim) !== isLimit(claim);

/** The claims with this one allowed, or no longer. */
export const withAllowed = (claims: readonly Claim[], claim: Claim, allowed: boolean): readonly Claim[] => {
  const others = claims.filter((one) => one !== claim);
  return allowed === isLimit(claim) ? others : [...others, claim];
};

/** May somebody with the claims `own` tick this, or untick it? `saved`: what the role had. Taking away is free, giving back what was there too. */
export const mayToggle = (own: readonly string[], saved: readonly string[], claims: readonly Claim[], claim: Claim) =>
  isAllowed(claims, claim) ||
  claimsInTheWay(own, saved, withAllowed(claims, claim, true)).every((one) => one !== claim);

/** How many rights differ. */
export const countChanges = (saved: readonly string[], claims: readonly string[]): number =>
  claims.filter((claim) => !saved.includes(claim)).length + saved.filter((claim) => !claims.includes(claim)).length;

/** What of another role somebody may give to a new one: not what they lack, and not without the limits that they are under. */
export const copied = (own: readonly string[], from: readonly string[]) => {
  const given = from.filter(isClaim).filter((claim) => isLimit(claim) || own.includes(claim));
  const limits = own.filter(isClaim).filter((claim) => isLimit(claim) && !given.includes(claim));
  const lost =
    from.filter((claim) => !isLimit(claim) && !own.includes(claim)).length + (from.length > 0 ? limits.length : 0);
  return { claims: [...given, ...limits], lost };
};
