import { type Claim, mayDo } from '../../contract/claims.ts';
import type { Access } from '../../contract/route.ts';
import type { Principal } from './principal.ts';

/** A route's access: one of the claims of `anyOf` is needed, and the claim of `unless` takes the right away. */
export const mayCall = (principal: Pick<Principal, 'permissions'>, access: Access): boolean => {
  if (access === 'anyone') return true;
  if (access.unless && mayDo(principal.permissions, access.unless)) return false;
  return !access.anyOf || access.anyOf.some((claim) => mayDo(principal.permissions, claim));
};

/** What stands in the way: claims of which one would open the route, or else the limit (`disable.*`) that shuts it. */
export const missingClaims = (principal: Pick<Principal, 'permissions'>, access: Access): readonly Claim[] => {
  if (access === 'anyone' || mayCall(principal, access)) return [];
  const { anyOf, unless } = access;
  if (anyOf && !anyOf.some((claim) => mayDo(principal.permissions, claim))) return anyOf;
  return unless ? [unless] : [];
};
