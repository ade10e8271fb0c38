import { z } from 'zod';
import { bounded, bounds, email } from '../../../contract/bounds.ts';
import { canAssignRole } from '../../../contract/role-assignment.ts';
import type { Role } from '../../../contract/roles.ts';
import type { EmployeeRow } from '../../db/stores/employee-store.ts';
import { unstorableIn } from '../../web/storable-text.ts';
import { invalidValue, ScimError } from './scim-error.ts';
import type { PatchDefinition } from './scim-patch.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** Attributes of the core schema (RFC 7643 section 4.1) that the archive does not store. */
const notStored = [
  'schemas',
  'id',
  'meta',
  'displayName',
  'nickName',
  'profileUrl',
  'title',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
  'password',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509Certificates',
];

export const userPatch: PatchDefinition = {
  attributes: {
    userName: 'leaf',
    externalId: 'leaf',
    active: 'leaf',
    name: { of: ['givenName', 'familyName'] },
    emails: { manyOf: ['value', 'type', 'primary'] },
    phoneNumbers: { manyOf: ['value', 'type', 'primary'] },
  },
  ignored: notStored,
  readOnly: ['groups'],
  required: ['active'],
};

/** Microsoft Entra ID sends "True" and "False" as texts. */
const truth = z.preprocess((value) => {
  if (typeof value !== 'string') return value;
  const text = value.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : value;
}, z.boolean());

const several = z
  .array(z.object({ value: z.string(), type: z.string().nullish(), primary: truth.nullish() }))
  .max(50)
  .nullish();
const userName = z.string().trim().min(1).max(bounds.azureUsername[1]);

const userBody = z.object({
  userName,
  externalId: z.string().max(200).nullish(),
  active: truth.nullish(),
  name: z.object({ givenName: bounded('firstName'), familyName: bounded('lastName') }),
  emails: several,
  phoneNumbers: several,
});

/** What a directory determines of a user. */
export interface DirectoryUser {
  readonly userName: string;
  readonly externalId: string | null;
  /** Undefined: as it is. */
  readonly active: boolean | undefined;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly telephone: string | null;
}

/** The primary value; without one the last, which PATCH has added. */
const chosen = (values: z.output<typeof several>): string | undefined =>
  (values?.find(({ primary }) => primary) ?? values?.at(-1))?.value;

/** @throws ScimError 'invalidValue' with the attribute, never its value */
export const parseUser = (state: unknown): DirectoryUser => {
  const parsed = userBody.safeParse(state);
  if (!parsed.success)
    throw invalidValue(`Invalid attribute: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`);
  if (unstorableIn(parsed.data)) throw invalidValue('A text has characters that cannot be stored');
  const { name, emails, phoneNumbers, active, externalId, ...user } = parsed.data;
  const address = email.safeParse(chosen(emails)?.trim() ?? user.userName);
  if (!address.success) throw invalidValue('A user needs an e-mail address, in emails or as userName');
  const telephone = chosen(phoneNumbers)?.trim() || null;
  if (telephone !== null && telephone.length > bounds.phone[1]) throw invalidValue('Invalid attribute: phoneNumbers');
  return {
    userName: user.userName,
    externalId: externalId ?? null,
    active: active ?? undefined,
    firstName: name.givenName,
    lastName: name.familyName,
    email: address.data,
    telephone,
  };
};

export const userNameOf = ({ azureUsername, email: address }: Pick<EmployeeRow, 'azureUsername' | 'email'>): string =>
  azureUsername ?? address;

/** Returns the part of a user that a directory can change. Without a primary telephone, so that one of another type takes its place. */
export const stateOf = (row: EmployeeRow) => ({
  userName: userNameOf(row),
  ...(row.externalId !== null && { externalId: row.externalId }),
  active: row.isActive,
  name: { givenName: row.firstName, familyName: row.lastName },
  emails: [{ value: row.email, type: 'work', primary: true }],
  ...(row.telephone !== null && { phoneNumbers: [{ value: row.telephone, type: 'work' }] }),
});

/** The roles that a clinic's directory sees as groups: those that a clinic administrator may give. */
export const rolesOfDirectory = (administrator: Role, all: readonly Role[], customerId: string): readonly Role[] =>
  all.filter((role) => canAssignRole(administrator, role, customerId));

/** @param base address of the clinic's SCIM service */
export const userResource = (row: EmployeeRow, groups: readonly Role[], base: string) => {
  const role = groups.find(({ id }) => id === row.roleId);
  return {
    schemas: [userSchema],
    id: row.id,
    ...stateOf(row),
    ...(row.telephone !== null && { phoneNumbers: [{ value: row.telephone, type: 'work', primary: true }] }),
    displayName: `${row.firstName} ${row.lastName}`,
    groups: role ? [{ value: role.id, $ref: `${base}/Groups/${role.id}`, display: role.name, type: 'direct' }] : [],
    meta: { resourceType: 'User', created: row.createdAt.toISOString(), location: `${base}/Users/${row.id}` },
  };
};

export const noSuchUser = (): ScimError => new ScimError(404, 'No such user');
