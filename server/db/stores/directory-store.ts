import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { hashedToken } from './token-hash.ts';

export interface DirectoryTokenRow {
  readonly id: string;
  readonly customerId: string;
  readonly name: string;
  readonly invitesIn: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

const tokens = (db: Kysely<Schema>) =>
  db
    .selectFrom('directory_token')
    .select([
      'directory_token.id',
      'directory_token.customer_id as customerId',
      'directory_token.name',
      'directory_token.invites_in as invitesIn',
      'directory_token.created_at as createdAt',
      'directory_token.expires_at as expiresAt',
      'directory_token.used_at as usedAt',
    ]);

/** Includes expired ones, oldest first. */
export const directoryTokensOf = (db: Kysely<Schema>, customerId: string): Promise<DirectoryTokenRow[]> =>
  tokens(db).where('customer_id', '=', customerId).orderBy('created_at').orderBy('id').execute();

/** Returns a token that works: not expired, of a clinic that is not deleted. */
export const directoryTokenBy = (db: Kysely<Schema>, secret: string): Promise<DirectoryTokenRow | undefined> =>
  tokens(db)
    .innerJoin('customer', 'customer.id', 'directory_token.customer_id')
    .where('token_hash', '=', hashedToken(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .where('customer.deleted_at', 'is', null)
    .executeTakeFirst();

/** Notes the use of a token, at most once a minute. */
export const noteDirectoryUse = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('directory_token')
    .set({ used_at: sql`date_trunc('minute', now())` })
    .where('id', '=', id)
    .where(sql<boolean>`used_at is distinct from date_trunc('minute', now())`)
    .execute();
};

interface NewToken {
  readonly customerId: string;
  readonly name: string;
  readonly secret: string;
  readonly invitesIn: string | null;
  readonly createdBy: string;
  readonly days: number;
}

export const insertDirectoryToken = async (
  db: Kysely<Schema>,
  { customerId, name, secret, invitesIn, createdBy, days }: NewToken,
): Promise<string> => {
  const id = randomUUID();
  const secrets = { token_hash: hashedToken(secret), invites_in: invitesIn, created_by: createdBy };
  const expires = sql<Date>`now() + make_interval(days => ${days}::int)`;
  await db
    .insertInto('directory_token')
    .values({ id, customer_id: customerId, name, ...secrets, expires_at: expires })
    .execute();
  return id;
};

/** Returns the name of the removed token; undefined if the clinic has no such token. */
export const removeDirectoryToken = async (
  db: Kysely<Schema>,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<string | undefined> => {
  const removed = await db
    .deleteFrom('directory_token')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .returning('name')
    .executeTakeFirst();
  return removed?.name;
};

/** Serializes changes by the directories of a clinic until the transaction ends. Taken before any row. */
export const lockDirectory = async (transaction: Transaction<Schema>, customerId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`directory ${customerId}`}, 0))`.execute(transaction);
};

/** Returns whether another active user of the clinic can change users. Locks those rows, so that a concurrent deactivation is awaited. */
export const hasOtherAdministrator = async (
  transaction: Transaction<Schema>,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<boolean> => {
  const others = await transaction
    .selectFrom('account')
    .innerJoin('role', 'role.id', 'account.role_id')
    .select('account.id')
    .where('account.customer_id', '=', customerId)
    .where('account.id', '<>', id)
    .where('account.is_active', '=', true)
    .where('account.deleted_at', 'is', null)
    .where(sql<boolean>`'user.update' = any(role.claims)`)
    .orderBy('account.id')
    .forShare('account')
    .execute();
  return others.length > 0;
};

/** Requires a locked user. */
export const setEmployeeRole = async (
  transaction: Transaction<Schema>,
  { id, version }: { readonly id: string; readonly version: number },
  roleId: string,
): Promise<void> => {
  await transaction
    .updateTable('account')
    .set({ role_id: roleId, version: version + 1 })
    .where('id', '=', id)
    .execute();
};
