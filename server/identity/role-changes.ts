import type { Kysely, Transaction } from 'kysely';
import type { z } from 'zod';

import { hasClaim } from '../../contract/claims.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import {
  blockingClaims,
  canAdministerRank,
  highestAssignableRank,
  isHighest,
  limitsOf,
  rightsChangeProblem,
  roleRenameProblem,
} from '../../contract/role-rules.ts';
import type { Role, roleClaimsUpdate, roleCreate, roleDelete, roleUpdate } from '../../contract/roles.ts';
import type { Schema } from '../db/schema.ts';
import { endSessionsOfRole, isHeld, isHeldBeyond, isHeldInClinics, replaceRole } from '../db/stores/role-holders.ts';
import { changeRole, insertRole, lockRoles, removeRole, roleById, roleOfAccount } from '../db/stores/role-store.ts';
import { canSeeRole } from '../domain/policy/can-see-role.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import { identityLog, type OtherAction } from './identity-log.ts';

type Body<Route extends { readonly body?: z.ZodType }> = z.output<NonNullable<Route['body']>>;

/** PostgreSQL unique_violation: the role name exists. */
const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505';

const withUniqueName = async <T>(writing: Promise<T>): Promise<T> => {
  try {
    return await writing;
  } catch (error) {
    throw isTaken(error) ? new ProblemError('role-name-taken', [{ fieldKey: 'name' }]) : error;
  }
};

const throwIf = (why: ProblemCode | null): void => {
  if (why) throw new ProblemError(why);
};

const ensureRank = (own: Role, rank: number): void => {
  if (!canAdministerRank(own, rank))
    throw new ProblemError('own-rank', [{ fieldKey: 'rank', vars: { min: highestAssignableRank(own) } }]);
};

const ensureRights = (own: Role, before: readonly string[], after: readonly string[]): void => {
  const [first] = blockingClaims(own.claims, before, after);
  if (first) throw noRightError(first);
};

/** @throws ProblemError 'not-found' for a role that does not exist or that the caller may not see */
export const requireRole = async (db: Kysely<Schema>, { accountId }: Principal, id: string): Promise<Role> => {
  const [own, role] = await Promise.all([roleOfAccount(db, accountId), roleById(db, id)]);
  if (!role || !canSeeRole(own, role)) throw new ProblemError('not-found');
  return role;
};

/** Callers without access to other clinics may not change roles that are used there. */
export const ensureOwnUsers = async (db: Kysely<Schema>, principal: Principal, roleId: string): Promise<void> => {
  if (hasClaim(principal.permissions, 'customer.get_byid')) return;
  if (await isHeldBeyond(db, roleId, principal.customerId)) throw noRightError('customer.get_byid');
};

/** Returns the added and removed claims: `+role.get -user.get`. */
const difference = (before: readonly string[], after: readonly string[]): string =>
  [
    ...after.filter((claim) => !before.includes(claim)).map((claim) => `+${claim}`),
    ...before.filter((claim) => !after.includes(claim)).map((claim) => `-${claim}`),
  ].join(' ');

/**
 * Creates the functions that change roles. Each is one transaction that locks the roles involved, including the caller's, and writes its access log
 * entry. Roles that the caller may not see are reported as not found.
 */
export const roleChanges = (db: Kysely<Schema>) => {
  const change = async <T>(
    principal: Principal,
    ids: readonly string[],
    work: (step: {
      readonly transaction: Transaction<Schema>;
      readonly own: Role;
      readonly found: (id: string) => Role;
      readonly note: (action: OtherAction, detail: string) => Promise<void>;
    }) => Promise<T>,
  ): Promise<T> =>
    db.transaction().execute(async (transaction) => {
      const held = await roleOfAccount(transaction, principal.accountId);
      const locked = await lockRoles(transaction, [...ids, ...(held ? [held.id] : [])]);
      const own = locked.find(({ id }) => id === held?.id);
      if (!own) throw new ProblemError('not-signed-in');
      const { accountId, customerId } = principal;
      return work({
        transaction,
        own,
        found: (id) => {
          const role = locked.find((one) => one.id === id);
          if (!role || !canSeeRole(own, role)) throw new ProblemError('not-found');
          return role;
        },
        note: (action, detail) =>
          identityLog(transaction).note({
            action,
            account: { id: accountId, customer: customerId === null ? null : { id: customerId } },
            detail,
          }),
      });
    });

  return {
    create: (principal: Principal, { name, rank, roleClaims }: Body<typeof roleCreate>): Promise<Role> =>
      change(principal, [], async ({ transaction, own, note }) => {
        ensureRank(own, rank);
        const claims = [...new Set<string>(roleClaims)];
        ensureRights(own, limitsOf(own.claims), claims);
        const created = await withUniqueName(insertRole(transaction, { name, rank, claims }));
        await note('role.created', `${name}: ${difference([], claims)}`);
        return created;
      }),

    update: (principal: Principal, { id, name, rank, version }: Body<typeof roleUpdate>): Promise<Role> =>
      change(principal, [id], async ({ transaction, own, found, note }) => {
        const role = found(id);
        throwIf(roleRenameProblem(own, role));
        ensureRank(own, rank);
        await ensureOwnUsers(transaction, principal, id);
        if (role.version !== version) throw new ProblemError('conflict');
        const changed = await withUniqueName(changeRole(transaction, role, { name, rank }));
        await note('role.edited', role.name === name ? name : `${role.name} → ${name}`);
        return changed;
      }),

    updateClaims: (principal: Principal, { id, roleClaims, version }: Body<typeof roleClaimsUpdate>): Promise<Role> =>
      change(principal, [id], async ({ transaction, own, found, note }) => {
        const role = found(id);
        throwIf(rightsChangeProblem(own, role));
        await ensureOwnUsers(transaction, principal, id);
        if (role.version !== version) throw new ProblemError('conflict');
        const claims = [...new Set<string>(roleClaims)];
        const changes = difference(role.claims, claims);
        if (changes === '') return role;
        ensureRights(own, role.claims, claims);
        const changed = await changeRole(transaction, role, { claims });
        await endSessionsOfRole(transaction, id);
        await note('role.rights-changed', `${role.name}: ${changes}`);
        return changed;
      }),

    remove: (principal: Principal, { deletingRoleId, applyingRoleId }: Body<typeof roleDelete>): Promise<void> =>
      change(
        principal,
        [deletingRoleId, ...(applyingRoleId === null ? [] : [applyingRoleId])],
        async ({ transaction, own, found, note }) => {
          const role = found(deletingRoleId);
          throwIf(roleRenameProblem(own, role));
          await ensureOwnUsers(transaction, principal, role.id);
          const replacement = applyingRoleId === null ? null : found(applyingRoleId);
          if (replacement?.id === role.id) throw new ProblemError('invalid-request', [{ fieldKey: 'applyingRoleId' }]);
          if (replacement) {
            // Equivalent to assigning the other role to each user: the caller needs all its rights, and only users without a clinic can be super
            // administrators.
            ensureRights(own, role.claims, replacement.claims);
            if (isHighest(replacement) && (await isHeldInClinics(transaction, role.id)))
              throw new ProblemError('invalid-request', [{ fieldKey: 'applyingRoleId' }]);
          } else if (await isHeld(transaction, role.id)) throw new ProblemError('role-in-use');
          await endSessionsOfRole(transaction, role.id);
          await replaceRole(transaction, role.id, replacement?.id ?? null);
          await removeRole(transaction, role.id);
          await note('role.deleted', replacement ? `${role.name} → ${replacement.name}` : role.name);
        },
      ),
  };
};
