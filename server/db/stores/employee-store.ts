import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Country } from '../../../contract/customers.ts';
import type { Role } from '../../../contract/roles.ts';
import { inListOrder } from '../list-order.ts';
import { inOrderOf, isOneOf } from '../list-page.ts';
import type { Schema } from '../schema.ts';
import { hasPasskey, removePasskeysOf } from './passkeys.ts';
import { noPasswordHash } from './password-hashes.ts';
import { removePin } from './pins.ts';

/** A user as shown to administrators. */
export interface EmployeeRow {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly personalNumber: string | null;
  readonly telephone: string | null;
  readonly hiredSince: string | null;
  readonly isActive: boolean;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly country: Country | null;
  readonly roleId: string;
  readonly roleName: string;
  readonly roleRank: number;
  readonly azureUsername: string | null;
  /** Id in the clinic's directory. */
  readonly externalId: string | null;
  readonly avatarLink: string | null;
  /** Null without a picture. */
  readonly pictureId: string | null;
  readonly twoFactorEnabled: boolean;
  readonly hasPassword: boolean;
  readonly createdAt: Date;
  readonly securityStamp: string;
  readonly version: number;
}

/** Fields that an administrator edits. */
export interface EmployeeChange {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Users of a directory may lack these three. */
  readonly personalNumber: string | null;
  readonly telephone: string | null;
  readonly hiredSince: string | null;
  readonly isActive: boolean;
  readonly roleId: string;
  readonly azureUsername: string | null;
  readonly avatarLink: string | null;
  /** Unchanged if undefined. */
  readonly externalId?: string | null;
}

/** Users who are not deleted, themselves or with their clinic. */
const employees = (db: Kysely<Schema>) =>
  db
    .selectFrom('account')
    .innerJoin('role', 'role.id', 'account.role_id')
    .leftJoin('customer', 'customer.id', 'account.customer_id')
    .leftJoin('account_picture', 'account_picture.account_id', 'account.id')
    .where('account.deleted_at', 'is', null)
    .where('customer.deleted_at', 'is', null)
    .select([
      'account.id',
      'account.email',
      'account.first_name as firstName',
      'account.last_name as lastName',
      'account.personal_number as personalNumber',
      'account.telephone',
      'account.hired_since as hiredSince',
      'account.is_active as isActive',
      'account.customer_id as customerId',
      'customer.name as customerName',
      'customer.country',
      'role.id as roleId',
      'role.name as roleName',
      'role.rank as roleRank',
      'account.azure_username as azureUsername',
      'account.external_id as externalId',
      'account.avatar_link as avatarLink',
      'account_picture.id as pictureId',
      sql<boolean>`account.two_factor_key is not null or ${hasPasskey}`.as('twoFactorEnabled'),
      sql<boolean>`account.password_hash <> ${noPasswordHash}`.as('hasPassword'),
      'account.created_at as createdAt',
      'account.security_stamp as securityStamp',
      'account.version',
    ]);

export const employeeById = (db: Kysely<Schema>, id: string): Promise<EmployeeRow | undefined> =>
  employees(db).where('account.id', '=', id).executeTakeFirst();

/** All users with their super administrators, by clinic and name in English order. */
export const allEmployees = (db: Kysely<Schema>): Promise<EmployeeRow[]> =>
  employees(db)
    .orderBy(inListOrder(sql`customer.name_key`, 'en'))
    .orderBy(inListOrder(sql`account.name_key`, 'en'))
    .orderBy('account.id')
    .execute();

/** In an order that does not change. */
export const employeesOfClinic = (db: Kysely<Schema>, customerId: string): Promise<EmployeeRow[]> =>
  employees(db).where('account.customer_id', '=', customerId).orderBy('account.id').execute();

/** Ignores case. */
export const employeeByEmail = (db: Kysely<Schema>, email: string): Promise<EmployeeRow | undefined> =>
  employees(db)
    .where((column) => column(column.fn('lower', ['account.email']), '=', email.trim().toLowerCase()))
    .executeTakeFirst();

/** Returns the clinic of each of these addresses in lower case that is taken; null without one. Includes users of deleted clinics. */
export const clinicsOfEmails = async (
  db: Kysely<Schema>,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string | null>> => {
  const rows = await db
    .selectFrom('account')
    .select([sql<string>`lower(email)`.as('email'), 'customer_id'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`lower(email) = any(${[...emails]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.email, row.customer_id]));
};

/** In the order of the ids. */
export const employeesByIds = async (db: Kysely<Schema>, ids: readonly string[]): Promise<EmployeeRow[]> =>
  inOrderOf(ids, await employees(db).where(isOneOf(sql`account.id`, ids)).execute());

/**
 * Locks roles until the transaction ends, so that their rights do not change while one is assigned. Locked before accounts and in the order of
 * `lockRoles`, to avoid deadlocks.
 */
export const lockRoleRows = (transaction: Transaction<Schema>, ids: readonly string[]): Promise<Role[]> =>
  transaction
    .selectFrom('role')
    .select(['id', 'name', 'rank', 'claims', 'is_built_in as isBuiltIn', 'version'])
    .where(isOneOf(sql`role.id`, ids))
    .orderBy('id')
    .forShare()
    .execute();

/** Locks a clinic that is not deleted until the transaction ends. */
export const lockClinicRow = (
  transaction: Transaction<Schema>,
  id: string,
): Promise<{ country: Country } | undefined> =>
  transaction
    .selectFrom('customer')
    .select('country')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();

/**
 * Locks this user until the transaction ends. With a super administrator all of them are locked, so that the check for a remaining one is
 * serialized.
 */
export const lockEmployee = async (
  transaction: Transaction<Schema>,
  { id, customerId }: Pick<EmployeeRow, 'id' | 'customerId'>,
): Promise<void> => {
  const account = transaction.selectFrom('account').select('id').orderBy('id').forUpdate();
  await (customerId === null ? account.where('customer_id', 'is', null) : account.where('id', '=', id)).execute();
};

/** Returns whether another user can still administer everything. Call after `lockEmployee`. */
export const hasOtherSuperAdministrator = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const other = await db
    .selectFrom('account')
    .innerJoin('role', 'role.id', 'account.role_id')
    .select('account.id')
    .where('role.name', '=', 'SuperAdmin')
    .where('account.customer_id', 'is', null)
    .where('account.is_active', '=', true)
    .where('account.deleted_at', 'is', null)
    .where('account.id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
};

const columnsOf = (change: EmployeeChange) => ({
  email: change.email,
  first_name: change.firstName,
  last_name: change.lastName,
  personal_number: change.personalNumber,
  telephone: change.telephone,
  hired_since: change.hiredSince,
  is_active: change.isActive,
  role_id: change.roleId,
  azure_username: change.azureUsername,
  ...(change.externalId === undefined ? {} : { external_id: change.externalId }),
  avatar_link: change.avatarLink,
});

/** PostgreSQL's unique_violation: the e-mail address is taken, ignoring case. */
export const isEmailTaken = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'account_email';

/** @throws an error recognized by `isEmailTaken` */
export const insertEmployee = async (
  db: Kysely<Schema>,
  change: EmployeeChange & { readonly customerId: string | null; readonly passwordHash: string },
): Promise<string> => {
  const id = randomUUID();
  const secrets = { password_hash: change.passwordHash, security_stamp: randomUUID() };
  await db
    .insertInto('account')
    .values({ id, customer_id: change.customerId, ...columnsOf(change), ...secrets })
    .execute();
  return id;
};

/** Requires a locked user. @throws an error recognized by `isEmailTaken` */
export const changeEmployee = async (
  transaction: Transaction<Schema>,
  { id, version }: Pick<EmployeeRow, 'id' | 'version'>,
  change: EmployeeChange,
): Promise<void> => {
  await transaction
    .updateTable('account')
    .set({ ...columnsOf(change), version: version + 1 })
    .where('id', '=', id)
    .execute();
};

/** Requires a locked user. */
export const setEmployeeActive = async (
  transaction: Transaction<Schema>,
  { id, version }: Pick<EmployeeRow, 'id' | 'version'>,
  isActive: boolean,
): Promise<void> => {
  await transaction
    .updateTable('account')
    .set({ is_active: isActive, version: version + 1 })
    .where('id', '=', id)
    .execute();
};

/** Assigns the role of super administrators, who belong to no clinic, and activates the account. Requires a locked user. */
export const makeSuperAdministrator = async (
  transaction: Transaction<Schema>,
  { id, version }: Pick<EmployeeRow, 'id' | 'version'>,
  roleId: string,
): Promise<void> => {
  await transaction
    .updateTable('account')
    .set({ role_id: roleId, customer_id: null, is_active: true, version: version + 1 })
    .where('id', '=', id)
    .execute();
};

/** Requires a locked user. The row stays for the access log; the e-mail address becomes free, and the picture is removed. */
export const removeEmployee = async (transaction: Transaction<Schema>, id: string): Promise<void> => {
  await transaction.updateTable('account').set({ deleted_at: new Date() }).where('id', '=', id).execute();
  await transaction.deleteFrom('account_picture').where('account_id', '=', id).execute();
  await removePasskeysOf(transaction, id);
  await removePin(transaction, id);
};
