import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { type Claim, type ClaimGroup, claimGroups, hasClaim, isClaim, isLimit } from '../../../contract/claims.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import { blockingClaims, rightsChangeProblem, roleRenameProblem } from '../../../contract/role-rules.ts';
import type { Role } from '../../../contract/roles.ts';
import { type SessionActor, selectPermission, selectUser } from '../../machines/session/session.machine.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';

/** Claim groups in display order, most common first. */
export const groupsShown: readonly ClaimGroup[] = ['disable', 'feature', 'user', 'customer', 'role'];

/** Claims listed first in each group. */
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

/** Returns true when the role has a granting claim, or lacks a limiting one. */
export const isAllowed = (claims: readonly string[], claim: Claim): boolean =>
  claims.includes(claim) !== isLimit(claim);

/** Returns the claims with this one allowed or not. */
export const withAllowed = (claims: readonly Claim[], claim: Claim, allowed: boolean): readonly Claim[] => {
  const others = claims.filter((one) => one !== claim);
  return allowed === isLimit(claim) ? others : [...others, claim];
};

/** Returns whether a user with the claims `own` can toggle this claim. `saved`: the role's stored claims; removing and restoring are always allowed. */
export const canToggle = (own: readonly string[], saved: readonly string[], claims: readonly Claim[], claim: Claim) =>
  isAllowed(claims, claim) ||
  blockingClaims(own, saved, withAllowed(claims, claim, true)).every((one) => one !== claim);

/** Counts the differing claims. */
export const countChanges = (saved: readonly string[], claims: readonly string[]): number =>
  claims.filter((claim) => !saved.includes(claim)).length + saved.filter((claim) => !claims.includes(claim)).length;

/** Returns the claims that a user can copy to a new role: none that they lack, and all limits that apply to them. */
export const copied = (own: readonly string[], from: readonly string[]) => {
  const given = from.filter(isClaim).filter((claim) => isLimit(claim) || own.includes(claim));
  const limits = own.filter(isClaim).filter((claim) => isLimit(claim) && !given.includes(claim));
  const lost =
    from.filter((claim) => !isLimit(claim) && !own.includes(claim)).length + (from.length > 0 ? limits.length : 0);
  return { claims: [...given, ...limits], lost };
};

type RoleAction = 'create' | 'rename' | 'rights' | 'policy' | 'delete';

const claimOf: Readonly<Record<RoleAction, Claim>> = {
  create: 'role.create',
  rename: 'role.update',
  rights: 'role.update',
  policy: 'role.update',
  delete: 'role.delete',
};

/** The signed-in user on the roles page. */
export interface Viewer {
  readonly permission: readonly string[];
  /** Role of the user; undefined until loaded. */
  readonly own: Role | undefined;
  /** Translated reason that names the missing claim; null when allowed. */
  readonly disabledReason: (action: RoleAction, role?: Role) => string | null;
}

/** Returns the signed-in user with role and rights. */
export const useViewer = (session: SessionActor, roles: readonly Role[]): Viewer => {
  const failureText = useFailureText();
  const permission = useSelector(session, selectPermission);
  const user = useSelector(session, selectUser);
  // The role may have been renamed since sign-in.
  const account = useQuery(useAppQueries().account()).data ?? user;
  const own = roles.find(({ name }) => account?.roles.includes(name));
  const rule = (action: RoleAction, role: Role): ProblemCode | null => {
    if (action === 'policy') return null;
    if (!own) return 'own-rank';
    return action === 'rights' ? rightsChangeProblem(own, role) : roleRenameProblem(own, role);
  };
  return {
    permission,
    own,
    disabledReason: (action, role) => {
      const claim = claimOf[action];
      if (!hasClaim(permission, claim)) return failureText({ kind: 'refused', code: 'no-right', claims: [claim] });
      const code = role ? rule(action, role) : null;
      return code && failureText({ kind: 'refused', code });
    },
  };
};
