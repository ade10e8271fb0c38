import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { type AccountPolicy, noPolicy, strictest } from '../../../contract/account-policy.ts';
import type { Schema } from '../schema.ts';
import { hasPasskey } from './passkeys.ts';

/** An account with the rights of its role and its clinic. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly avatarLink: string | null;
  readonly isActive: boolean;
  readonly passwordHash: string;
  /** Tokens with another value are void. */
  readonly securityStamp: string;
  /** Has an authenticator app or a passkey. */
  readonly twoFactorEnabled: boolean;
  readonly hasAuthenticator: boolean;
  readonly hasPasskey: boolean;
  readonly telephone: string | null;
  readonly role: string;
  readonly claims: readonly string[];
  /** Deleted clinics; queried only for roles with access to several clinics, because accounts of a deleted clinic cannot sign in. */
  readonly closedClinics: readonly string[];
  readonly customer: { readonly id: string; readonly name: string } | null;
  /** Of clinic and role together. */
  readonly policy: AccountPolicy;
}

/** Rows of `toAccount`. */
export const accounts = (db: Kysely<Schema>) =>
  db
    .selectFrom('account')
    .innerJoin('role', 'role.id', 'account.role_id')
    .leftJoin('customer', 'customer.id', 'account.customer_id')
    .where('account.deleted_at', 'is', null)
    .select((row) => [
      'account.id',
      'account.email',
      'account.first_name',
      'account.last_name',
      'account.avatar_link',
      'account.password_hash',
      'account.security_stamp',
      'account.telephone',
      row('account.two_factor_key', 'is not', null).as('has_authenticator'),
      hasPasskey.as('has_passkey'),
      // Accounts of a deleted clinic cannot sign in.
      row.and([row('account.is_active', '=', true), row('customer.deleted_at', 'is', null)]).as('is_active'),
      'role.name as role',
      'role.claims',
      'role.account_policy as role_policy',
      'customer.account_policy as clinic_policy',
      sql<string[]>`case when 'customer.get_byid' = any(role.claims)
        then array(select closed.id::text from customer as closed where closed.deleted_at is not null) else '{}' end`.as(
        'closed_clinics',
      ),
      'customer.id as customer_id',
      'customer.name as customer_name',
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>;

export const toAccount = (row: Row): Account => ({
  id: row.id,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  avatarLink: row.avatar_link,
  isActive: Boolean(row.is_active),
  passwordHash: row.password_hash,
  securityStamp: row.security_stamp,
  twoFactorEnabled: Boolean(row.has_authenticator) || row.has_passkey,
  hasAuthenticator: Boolean(row.has_authenticator),
  hasPasskey: row.has_passkey,
  telephone: row.telephone,
  role: row.role,
  claims: row.claims,
  closedClinics: row.closed_clinics,
  customer: row.customer_id === null ? null : { id: row.customer_id, name: row.customer_name ?? '' },
  policy: strictest({ ...noPolicy, ...row.role_policy }, { ...noPolicy, ...row.clinic_policy }),
});

/** `only`: additional condition on the row. */
export const accountById = async (
  db: Kysely<Schema>,
  id: string,
  only: Expression<SqlBool> = sql<boolean>`true`,
): Promise<Account | undefined> => {
  const row = await accounts(db).where('account.id', '=', id).where(only).executeTakeFirst();
  return row && toAccount(row);
};

export const accountByEmail = async (db: Kysely<Schema>, email: string): Promise<Account | undefined> => {
  const row = await accounts(db)
    .where((column) => column(column.fn('lower', ['account.email']), '=', email.trim().toLowerCase()))
    .executeTakeFirst();
  return row && toAccount(row);
};

const numberDigits = sql<string>`regexp_replace(account.personal_number, '\\D', '', 'g')`;
/** Written with its century, or with a dash or plus sign: ten digits alone are a Danish number, which may equal a Swedish one. */
const isSwedishNumber = sql<boolean>`(length(${numberDigits}) = 12 or account.personal_number ~ '[-+]')`;

/** Returns all accounts with this Swedish personal number of twelve digits, stored with or without its century. */
export const accountsByPersonalNumber = async (db: Kysely<Schema>, personalNumber: string): Promise<Account[]> => {
  const digits = personalNumber.replace(/\D/g, '');
  if (digits.length !== 12) return [];
  const rows = await accounts(db)
    .where(numberDigits, 'in', [digits, digits.slice(2)])
    .where(isSwedishNumber)
    .orderBy('customer.name_key')
    .execute();
  return rows.map(toAccount);
};

/** Returns whether `accountsByPersonalNumber` can find the account. */
export const hasSwedishNumber = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', id)
    .where(isSwedishNumber)
    .executeTakeFirst();
  return row !== undefined;
};

/** Returns all accounts with this Azure AD user name, ignoring case. */
export const accountsByAzureUsername = async (db: Kysely<Schema>, username: string): Promise<Account[]> => {
  const rows = await accounts(db)
    .where((column) => column(column.fn('lower', ['account.azure_username']), '=', username.trim().toLowerCase()))
    .orderBy('customer.name_key')
    .execute();
  return rows.map(toAccount);
};
