import { type Claim, mayDo } from './claims.ts';
import type { Access } from './route.ts';

interface Caller {
  readonly permissions: readonly string[];
}

/** A route's access: one of the claims of `anyOf` is needed, and the claim of `unless` takes the right away. */
export const mayCall = (caller: Caller, access: Access): boolean => {
  if (access === 'anyone') return true;
  if (access.unless && mayDo(caller.permissions, access.unless)) return false;
  return !access.anyOf || access.anyOf.some((claim) => mayDo(caller.permissions, claim));
};

/** What stands in the way: claims of which one would open the route, or else the limit (`disable.*`) that shuts it. */
export const missingClaims = (caller: Caller, access: Access): readonly Claim[] => {
  if (access === 'anyone' || mayCall(caller, access)) return [];
  const { anyOf, unless } = access;
  if (anyOf && !anyOf.some((claim) => mayDo(caller.permissions, claim))) return anyOf;
  return unless ? [unless] : [];
};
