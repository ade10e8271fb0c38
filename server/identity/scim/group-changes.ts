import type { Kysely } from 'kysely';
import { hasClaim } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Schema } from '../../db/schema.ts';
import { setEmployeeRole } from '../../db/stores/directory-store.ts';
import { employeesOfClinic } from '../../db/stores/employee-store.ts';
import { builtInRole } from '../../db/stores/role-store.ts';
import { renewStamp } from '../../db/stores/sessions.ts';
import { ensureMayGive, ensureRoleFits } from '../employee-rules.ts';
import {
  type Directory,
  type DirectoryStep,
  ensureNotLastAdministrator,
  inDirectory,
  lockUser,
} from './directory-step.ts';
import { invalidValue } from './scim-error.ts';

const assign = async (step: DirectoryStep, userId: string, role: Role): Promise<void> => {
  const employee = await lockUser(step, userId);
  if (employee.roleId === role.id) return;
  ensureMayGive(step.administrator, role);
  ensureRoleFits(role, employee.customerId);
  if (!hasClaim(role.claims, 'user.update')) await ensureNotLastAdministrator(step, employee);
  await setEmployeeRole(step.transaction, employee, role.id);
  await renewStamp(step.transaction, userId, { reason: 'rights-changed' });
  await step.note('directory.user-edited', employee, `${employee.roleName} → ${role.name}`);
};

/**
 * Gives a role to the members of its group. Users who are no longer members get the role of medical personnel, as every user has one role; members of
 * its own group therefore stay.
 * @param membersOf gets the ids of the members and returns those that the group is to have
 */
export const changeMembers = (
  db: Kysely<Schema>,
  directory: Directory,
  groupId: string,
  membersOf: (before: readonly string[]) => readonly string[],
): Promise<void> => {
  const ofClinic = (transaction: Kysely<Schema>) => employeesOfClinic(transaction, directory.customerId);
  const allRoles = async (transaction: Kysely<Schema>) => {
    const { id } = await builtInRole(transaction, 'Doctor');
    return [id, groupId, ...new Set((await ofClinic(transaction)).map(({ roleId }) => roleId))];
  };
  return inDirectory(db, directory, allRoles, async (step) => {
    const { id: fallbackId } = await builtInRole(step.transaction, 'Doctor');
    const [group, fallback] = [step.roleOf(groupId), step.roleOf(fallbackId)];
    if (!group || !fallback) throw invalidValue('No such group');
    const users = await ofClinic(step.transaction);
    const before = users.filter(({ roleId }) => roleId === groupId).map(({ id }) => id);
    const after = new Set(membersOf(before).map((id) => id.toLowerCase()));
    const known = new Set(users.map(({ id }) => id));
    if (![...after].every((id) => known.has(id))) throw invalidValue('A member is no user of the clinic');
    const changes = new Map([
      ...before.filter((id) => !after.has(id)).map((id) => [id, fallback] as const),
      ...[...after].filter((id) => !before.includes(id)).map((id) => [id, group] as const),
    ]);
    // In the order of the ids, as others lock accounts.
    for (const id of [...changes.keys()].sort()) await assign(step, id, changes.get(id) ?? fallback);
  });
};
