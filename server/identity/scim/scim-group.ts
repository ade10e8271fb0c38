import { z } from 'zod';
import type { Role } from '../../../contract/roles.ts';
import type { EmployeeRow } from '../../db/stores/employee-store.ts';
import { invalidValue, ScimError } from './scim-error.ts';
import type { PatchDefinition } from './scim-patch.ts';

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export const groupPatch: PatchDefinition = {
  attributes: { displayName: 'leaf', members: { manyOf: ['value'] } },
  ignored: ['schemas', 'id', 'meta', 'externalId'],
  readOnly: [],
  required: ['displayName'],
};

const groupBody = z.object({
  displayName: z.string().optional(),
  members: z
    .array(z.object({ value: z.string().max(100) }))
    .max(10_000)
    .nullish(),
});

export const memberState = (role: Role, memberIds: readonly string[]) => ({
  displayName: role.name,
  members: memberIds.map((value) => ({ value })),
});

/** Returns the ids of the members that a group is to have. @throws ScimError; 'mutability' for another name */
export const parseMembers = (state: unknown, role: Role): readonly string[] => {
  const parsed = groupBody.safeParse(state);
  if (!parsed.success)
    throw invalidValue(`Invalid attribute: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`);
  const { displayName, members } = parsed.data;
  if (displayName !== undefined && displayName.toLowerCase() !== role.name.toLowerCase())
    throw new ScimError(400, 'A role is renamed in the archive', 'mutability');
  return members?.map(({ value }) => value) ?? [];
};

/** @param base address of the clinic's SCIM service */
export const groupResource = (role: Role, users: readonly EmployeeRow[], base: string) => ({
  schemas: [groupSchema],
  id: role.id,
  displayName: role.name,
  members: users
    .filter(({ roleId }) => roleId === role.id)
    .map(({ id, firstName, lastName }) => ({
      value: id,
      $ref: `${base}/Users/${id}`,
      display: `${firstName} ${lastName}`,
      type: 'User',
    })),
  meta: { resourceType: 'Group', location: `${base}/Groups/${role.id}` },
});
