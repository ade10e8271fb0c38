import type { Kysely, Transaction } from 'kysely';
import type { z } from 'zod';
import type { AccessAction } from '../../contract/access-log.ts';
import { mayDo } from '../../contract/claims.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import {
  claimsInTheWay,
  highestRankToGive,
  isHighest,
  mayDecideAboutRank,
  nothingBut,
  whyNotChangeRights,
  whyNotRename,
} from '../../contract/role-rules.ts';
import type { Role, roleClaimsUpdate, roleCreate, roleDelete, roleUpdate } from '../../contract/roles.ts';
import type { Schema } from '../db/schema.ts';
import {
  endSessionsOfRole,
  isHeldBeyond,
  isHeldInClinics,
  replaceRole,
  usersOfRole,
} from '../db/stores/role-holders.ts';
import { changeRole, insertRole, lockRoles, removeRole, roleOfAccount } from '../db/stores/role-store.ts';
import { maySeeRole } from '../policy/may-see-role.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal, withoutRight } from '../refusal.ts';
import { identityLog } from './identity-log.ts';

type Body<Route extends { readonly body?: z.ZodType }> = z.output<NonNullable<Route['body']>>;

/** PostgreSQL's unique_violation: there is a role of this name. */
const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505';

const named = async <T>(writing: Promise<T>): Promise<T> => {
  try {
    return await writing;
  } catch (error) {
    throw isTaken(error) ? new Refusal('role-name-taken', [{ fieldKey: 'name' }]) : error;
  }
};

const refuseFor = (why: ProblemCode | null): void => {
  if (why) throw new Refusal(why);
};

const ensureRank = (own: Role, rank: number): void => {
  if (!mayDecideAboutRank(own, rank))
    throw new Refusal('own-rank', [{ fieldKey: 'rank', vars: { min: highestRankToGive(own) } }]);
};

const ensureRights = (own: Role, before: readonly string[], after: readonly string[]): void => {
  const [first] = claimsInTheWay(own.claims, before, after);
  if (first) throw withoutRight(first);
};

/** Who may not touch other clinics does not change what people of other clinics hold either. */
const ensureOwnPeople = async (db: Kysely<Schema>, principal: Principal, roleId: string): Promise<void> => {
  if (mayDo(principal.permissions, 'customer.get_byid')) return;
  if (await isHeldBeyond(db, roleId, principal.customerId)) throw withoutRight('customer.get_byid');
};

/** Which claims came and which went: `+role.get -user.get`. */
const difference = (before: readonly string[], after: readonly string[]): string =>
  [
    ...after.filter((claim) => !before.includes(claim)).map((claim) => `+${claim}`),
    ...before.filter((claim) => !after.includes(claim)).map((claim) => `-${claim}`),
  ].join(' ');

/**
 * Every change of roles: one transaction in which the roles concerned, the changer's own among them, stay as they are, and which stands in the
 * access log or did not happen. Each throws Refusal; a role that the changer may not see is not found.
 */
export const roleChanges = (db: Kysely<Schema>) => {
  const change = async <T>(
    principal: Principal,
    ids: readonly string[],
    work: (step: {
      readonly transaction: Transaction<Schema>;
      readonly own: Role;
      readonly found: (id: string) => Role;
      readonly note: (action: AccessAction, detail: string) => Promise<void>;
    }) => Promise<T>,
  ): Promise<T> =>
    db.transaction().execute(async (transaction) => {
      const held = await roleOfAccount(transaction, principal.accountId);
      const locked = await lockRoles(transaction, [...ids, ...(held ? [held.id] : [])]);
      const own = locked.find(({ id }) => id === held?.id);
      if (!own) throw new Refusal('not-signed-in');
      const { accountId, customerId } = principal;
      return work({
        transaction,
        own,
        found: (id) => {
          const role = locked.find((one) => one.id === id);
          if (!role || !maySeeRole(own, role)) throw new Refusal('not-found');
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
        ensureRights(own, nothingBut(own.claims), claims);
        const created = await named(insertRole(transaction, { name, rank, claims }));
        await note('role.created', `${name}: ${difference([], claims)}`);
        return created;
      }),

    update: (principal: Principal, { id, name, rank, version }: Body<typeof roleUpdate>): Promise<Role> =>
      change(principal, [id], async ({ transaction, own, found, note }) => {
        const role = found(id);
        refuseFor(whyNotRename(own, role));
        ensureRank(own, rank);
        await ensureOwnPeople(transaction, principal, id);
        if (role.version !== version) throw new Refusal('conflict');
        const changed = await named(changeRole(transaction, role, { name, rank }));
        await note('role.edited', role.name === name ? name : `${role.name} → ${name}`);
        return changed;
      }),

    updateClaims: (principal: Principal, { id, roleClaims, version }: Body<typeof roleClaimsUpdate>): Promise<Role> =>
      change(principal, [id], async ({ transaction, own, found, note }) => {
        const role = found(id);
        refuseFor(whyNotChangeRights(own, role));
        await ensureOwnPeople(transaction, principal, id);
        if (role.version !== version) throw new Refusal('conflict');
        const claims = [...new Set<string>(roleClaims)];
        const told = difference(role.claims, claims);
        if (told === '') return role;
        ensureRights(own, role.claims, claims);
        const changed = await changeRole(transaction, role, { claims });
        await endSessionsOfRole(transaction, id);
        await note('role.rights-changed', `${role.name}: ${told}`);
        return changed;
      }),

    remove: (principal: Principal, { deletingRoleId, applyingRoleId }: Body<typeof roleDelete>): Promise<void> =>
      change(
        principal,
        [deletingRoleId, ...(applyingRoleId === null ? [] : [applyingRoleId])],
        async ({ transaction, own, found, note }) => {
          const role = found(deletingRoleId);
          refuseFor(whyNotRename(own, role));
          await ensureOwnPeople(transaction, principal, role.id);
          const replacement = applyingRoleId === null ? null : found(applyingRoleId);
          if (replacement?.id === role.id) throw new Refusal('invalid-request', [{ fieldKey: 'applyingRoleId' }]);
          if (replacement) {
            // As if these people were given the other role one by one: no right that the giver lacks, and only people of no clinic administer all.
            ensureRights(own, role.claims, replacement.claims);
            if (isHighest(replacement) && (await isHeldInClinics(transaction, role.id)))
              throw new Refusal('invalid-request', [{ fieldKey: 'applyingRoleId' }]);
          } else if ((await usersOfRole(transaction, role.id, null, false)).count > 0) throw new Refusal('role-in-use');
          await endSessionsOfRole(transaction, role.id);
          await replaceRole(transaction, role.id, replacement?.id ?? null);
          await removeRole(transaction, role.id);
          await note('role.deleted', replacement ? `${role.name} → ${replacement.name}` : role.name);
        },
      ),
  };
};
