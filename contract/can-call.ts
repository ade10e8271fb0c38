import { type Claim, hasClaim } from './claims.ts';
import type { Access } from './route.ts';

interface Caller {
  readonly permissions: readonly string[];
}

/** Whether a caller may use a route: one claim of `anyOf` is required, and the claim of `unless` denies access. */
export const canCall = (caller: Caller, access: Access): boolean => {
  if (access === 'anyone') return true;
  if (access.unless && hasClaim(caller.permissions, access.unless)) return false;
  return !access.anyOf || access.anyOf.some((claim) => hasClaim(caller.permissions, claim));
};

/** Returns the claims of which one is missing, or the limit (`disable.*`) that denies access. */
export const missingClaims = (caller: Caller, access: Access): readonly Claim[] => {
  if (access === 'anyone' || canCall(caller, access)) return [];
  const { anyOf, unless } = access;
  if (anyOf && !anyOf.some((claim) => hasClaim(caller.permissions, claim))) return anyOf;
  return unless ? [unless] : [];
};
