import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { hashedToken } from './token-hash.ts';

export interface ServiceAccountRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Its images of exactly one patient go in without a user's decision. */
  readonly atOnce: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
  /** Those that are not deleted, by name. */
  readonly clinics: readonly { readonly id: string; readonly name: string }[];
}

const accounts = (db: Kysely<Schema>) =>
  db
    .selectFrom('service_account')
    .select([
      'service_account.id',
      'service_account.name',
      'service_account.scopes',
      'service_account.at_once as atOnce',
      'service_account.created_at as createdAt',
      'service_account.expires_at as expiresAt',
      'service_account.used_at as usedAt',
      'service_account.revoked_at as revokedAt',
    ])
    .select(
      sql<ServiceAccountRow['clinics']>`coalesce((
        select jsonb_agg(jsonb_build_object('id', customer.id, 'name', customer.name) order by list_key(customer.name), customer.id)
        from service_account_clinic join customer on customer.id = customer_id
        where service_account_id = service_account.id and customer.deleted_at is null), '[]')`.as('clinics'),
    );

/** Includes expired ones, not revoked ones; oldest first. */
export const serviceAccountsOf = (db: Kysely<Schema>, customerId: string): Promise<ServiceAccountRow[]> =>
  accounts(db)
    .where('revoked_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('service_account_clinic')
          .whereRef('service_account_id', '=', 'service_account.id')
          .where('customer_id', '=', customerId)
          .select('customer_id'),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Includes expired and revoked ones. */
export const serviceAccountById = (db: Kysely<Schema>, id: string): Promise<ServiceAccountRow | undefined> =>
  accounts(db).where('id', '=', id).executeTakeFirst();

/** Returns whether it may call: neither revoked nor expired, with a clinic that is not deleted. */
export const isActive = ({ revokedAt, expiresAt, clinics }: ServiceAccountRow): boolean =>
  revokedAt === null && expiresAt > new Date() && clinics.length > 0;

/** Returns whether this is the secret of the account. */
export const hasServiceSecret = async (db: Kysely<Schema>, id: string, secret: string): Promise<boolean> => {
  const found = await db
    .selectFrom('service_account')
    .select('id')
    .where('id', '=', id)
    .where('secret_hash', '=', hashedToken(secret))
    .executeTakeFirst();
  return found !== undefined;
};

/** Notes the use of an account, at most once a minute. */
export const noteServiceUse = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('service_account')
    .set({ used_at: sql`date_trunc('minute', now())` })
    .where('id', '=', id)
    .where(sql<boolean>`used_at is distinct from date_trunc('minute', now())`)
    .execute();
};

interface NewServiceAccount {
  readonly name: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly atOnce: boolean;
  readonly customerIds: readonly string[];
  readonly createdBy: string;
  readonly days: number;
}

/** Returns its id. */
export const insertServiceAccount = async (
  transaction: Transaction<Schema>,
  { name, secret, scopes, atOnce, customerIds, createdBy, days }: NewServiceAccount,
): Promise<string> => {
  const id = randomUUID();
  await transaction
    .insertInto('service_account')
    .values({
      id,
      name,
      secret_hash: hashedToken(secret),
      scopes: [...scopes],
      at_once: atOnce,
      created_by: createdBy,
      expires_at: sql<Date>`now() + make_interval(days => ${days}::int)`,
    })
    .execute();
  await transaction
    .insertInto('service_account_clinic')
    .values(customerIds.map((customer_id) => ({ service_account_id: id, customer_id })))
    .execute();
  return id;
};

/** Ends the access of an account to every clinic. */
export const revokeServiceAccount = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('service_account')
    .set({ revoked_at: sql`now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
};

/** Ends the access of an account to one clinic. */
export const removeServiceClinic = async (
  db: Kysely<Schema>,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<void> => {
  await db
    .deleteFrom('service_account_clinic')
    .where('service_account_id', '=', id)
    .where('customer_id', '=', customerId)
    .execute();
};

/** Serializes changes of the service accounts of clinics until the transaction ends. Taken before any row, in one order. */
export const lockServiceAccounts = async (
  transaction: Transaction<Schema>,
  customerIds: readonly string[],
): Promise<void> => {
  for (const id of [...customerIds].sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`service accounts ${id}`}, 0))`.execute(transaction);
};
