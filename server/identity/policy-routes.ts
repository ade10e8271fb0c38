import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import {
  type AccountPolicy,
  clinicPolicyGet,
  clinicPolicySet,
  rolePolicyGet,
  rolePolicySet,
} from '../../contract/account-policy.ts';
import type { Schema } from '../db/schema.ts';
import { lockPolicy, policyOf, setPolicy } from '../db/stores/account-policies.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';
import { requireClinic } from './customer-changes.ts';
import { identityLog } from './identity-log.ts';
import { ensureOwnUsers, requireRole } from './role-changes.ts';

interface Change {
  readonly id: string;
  readonly before: AccountPolicy;
  readonly policy: AccountPolicy;
}

const keys = Object.keys as (policy: AccountPolicy) => (keyof AccountPolicy)[];

/** Returns the changed rules: `idleMinutes=10`. */
const difference = (before: AccountPolicy, after: AccountPolicy): string[] =>
  keys(after)
    .filter((key) => before[key] !== after[key])
    .map((key) => `${key}=${after[key] ?? '-'}`);

/** Registers the routes that read and set the rules about sign-ins of clinics and roles. */
export const policyRoutes = (
  server: FastifyInstance,
  { db, binding }: { readonly db: Kysely<Schema>; readonly binding: Binding },
): void => {
  const read = async (table: 'customer' | 'role', id: string): Promise<AccountPolicy> => {
    const policy = await policyOf(db, table, id);
    if (!policy) throw new ProblemError('not-found');
    return policy;
  };

  const change = (
    table: 'customer' | 'role',
    { id, before, policy }: Change,
    note: (transaction: Kysely<Schema>, rules: string) => Promise<void>,
  ): Promise<AccountPolicy> =>
    db.transaction().execute(async (transaction) => {
      const stored = await lockPolicy(transaction, table, id);
      if (!stored) throw new ProblemError('not-found');
      if (difference(stored, before).length > 0) throw new ProblemError('conflict');
      const rules = difference(stored, policy);
      if (rules.length === 0) return stored;
      await setPolicy(transaction, table, id, policy);
      await note(transaction, rules.join(' '));
      return policy;
    });

  bind(server, binding, clinicPolicyGet, async ({ principal, params: { id } }) => {
    await requireClinic(db, principal, id);
    return read('customer', id);
  });

  bind(server, binding, clinicPolicySet, async ({ principal, body }) => {
    const { id, name } = await requireClinic(db, principal, body.id);
    return change('customer', body, (transaction, rules) =>
      identityLog(transaction).note({
        action: 'clinic.policy-changed',
        account: { id: principal.accountId, customer: { id } },
        objectId: id,
        detail: `${name}: ${rules}`,
      }),
    );
  });

  bind(server, binding, rolePolicyGet, async ({ principal, params: { id } }) => {
    await requireRole(db, principal, id);
    return read('role', id);
  });

  bind(server, binding, rolePolicySet, async ({ principal, body }) => {
    const { id, name } = await requireRole(db, principal, body.id);
    await ensureOwnUsers(db, principal, id);
    const { accountId, customerId } = principal;
    return change('role', body, (transaction, rules) =>
      identityLog(transaction).note({
        action: 'role.policy-changed',
        account: { id: accountId, customer: customerId === null ? null : { id: customerId } },
        objectId: id,
        detail: `${name}: ${rules}`,
      }),
    );
  });
};
