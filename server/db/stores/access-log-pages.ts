import { type Kysely, sql } from 'kysely';
import type { ListLanguage } from '../../domain/list-language.ts';
import { inListOrder } from '../list-order.ts';
import type { Schema } from '../schema.ts';
import { type AccessFilter, accessConditions } from './access-filter.ts';

export interface AccessRow {
  readonly id: number;
  readonly at: Date;
  readonly action: string;
  readonly detail: string | null;
  readonly address: string | null;
  readonly request: string | null;
  readonly object_id: string | null;
  readonly role: string | null;
  readonly account_id: string | null;
  /** Of a user, a service account or a DICOM device. Null: the account no longer exists. */
  readonly account_name: string | null;
  readonly account_email: string | null;
  readonly is_service_account: boolean;
  readonly is_device: boolean;
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  readonly patient_id: string | null;
  readonly patient_name: string | null;
  readonly personal_number: string | null;
  readonly has_protected_identity: boolean | null;
}

export interface Stretch {
  /** Entries older than this one; null: from the newest. */
  readonly before: string | null;
  readonly limit: number;
  /** Excludes entries written after this one. */
  readonly newestId?: number;
}

/**
 * Returns entries, newest first, with the current names of accounts, clinics and patients, including deleted ones. Entries added meanwhile are
 * newer than `before` and do not shift the page.
 */
export const pageOfAccesses = async (
  db: Kysely<Schema>,
  filter: AccessFilter,
  { before, limit, newestId }: Stretch,
): Promise<AccessRow[]> => {
  const conditions = accessConditions(filter);
  if (before !== null) {
    // An entry of another clinic counts as unknown, so nothing precedes it.
    const own = filter.customerId ? sql`and known.customer_id = ${filter.customerId}::uuid` : sql``;
    const last = sql`(select known.at from access_log as known where known.id = ${before}::bigint ${own})`;
    conditions.push(sql`(entry.at, entry.id) < (${last}, ${before}::bigint)`);
  }
  if (newestId !== undefined) conditions.push(sql`entry.id <= ${newestId}::bigint`);
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<AccessRow>`
    select entry.id, entry.at, entry.action, entry.detail, entry.address, entry.request, entry.object_id, entry.role, entry.account_id, entry.customer_id, entry.patient_id,
      coalesce(account.first_name || ' ' || account.last_name, service_account.name, dicom_device.name) as account_name, account.email as account_email,
      service_account.id is not null as is_service_account, dicom_device.id is not null as is_device, customer.name as customer_name,
      patient.first_name || ' ' || patient.last_name as patient_name, patient.personal_number, patient.has_protected_identity
    from (
      select * from access_log as entry ${where} order by entry.at desc, entry.id desc limit ${limit}
    ) as entry
    left join account on account.id = entry.account_id
    left join service_account on service_account.id = entry.account_id
    left join dicom_device on dicom_device.id = entry.account_id
    left join customer on customer.id = entry.customer_id
    left join patient on patient.id = entry.patient_id
    order by entry.at desc, entry.id desc`.execute(db);
  return rows;
};

/** Null when the log is empty. */
export const newestAccess = async (db: Kysely<Schema>): Promise<number | null> => {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from access_log`.execute(db);
  return rows[0]?.id ?? null;
};

export interface LogPatient {
  readonly id: string;
  readonly customer_id: string;
  readonly customer_name: string;
  readonly name: string;
  readonly personal_number: string;
}

/** A patient as shown by the log, including deleted ones. */
export const patientOfLog = (db: Kysely<Schema>, id: string): Promise<LogPatient | undefined> =>
  db
    .selectFrom('patient')
    .innerJoin('customer', 'customer.id', 'patient.customer_id')
    .select(['patient.id', 'patient.customer_id', 'patient.personal_number', 'customer.name as customer_name'])
    .select(sql<string>`patient.first_name || ' ' || patient.last_name`.as('name'))
    .where('patient.id', '=', id)
    .executeTakeFirst();

/** Refusals of one account or address within an hour that are many. */
const manyRefusals = 30;

/** Returns how many accounts and addresses were refused often within the last hour, and since when; undefined when none was. */
export const manyRefused = async (
  db: Kysely<Schema>,
): Promise<{ since: Date; sources: number; refused: number } | undefined> => {
  const { rows } = await sql<{ since: Date | null; sources: number; refused: number }>`
    select min(since) as since, count(*)::int as sources, coalesce(sum(refused), 0)::int as refused from (
      select min(at) as since, count(*) as refused from access_log
      where action in ('access.refused', 'sign-in.refused') and at > now() - interval '1 hour'
      group by account_id, case when account_id is null then address end having count(*) >= ${manyRefusals}) as source`.execute(
    db,
  );
  const [found] = rows;
  return found?.since ? { ...found, since: found.since } : undefined;
};

const maxAccounts = 5_000;

/** Returns the accounts of a clinic (null: of all) by name, including deleted ones. */
export const accountsOfLog = (db: Kysely<Schema>, customerId: string | null, language: ListLanguage) =>
  db
    .selectFrom('account')
    .select(['id', 'email'])
    .select(sql<string>`first_name || ' ' || last_name`.as('name'))
    .$if(customerId !== null, (query) => query.where('customer_id', '=', customerId))
    .orderBy(inListOrder(sql`list_key(first_name || ' ' || last_name)`, language))
    .orderBy('id')
    .limit(maxAccounts)
    .execute();

/** Returns the service accounts of a clinic (null: of all) by name, then its DICOM devices, including those that are gone. */
export const programsOfLog = async (db: Kysely<Schema>, customerId: string | null, language: ListLanguage) => {
  const services = await db
    .selectFrom('service_account')
    .select(['id', 'name'])
    .$if(customerId !== null, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('service_account_clinic')
            .whereRef('service_account_id', '=', 'service_account.id')
            .where('customer_id', '=', customerId)
            .select('customer_id'),
        ),
      ),
    )
    .orderBy(inListOrder(sql`list_key(name)`, language))
    .orderBy('id')
    .limit(maxAccounts)
    .execute();
  const devices = await db
    .selectFrom('dicom_device')
    .select(['id', 'name'])
    .$if(customerId !== null, (query) => query.where('customer_id', '=', customerId))
    .orderBy(inListOrder(sql`list_key(name)`, language))
    .orderBy('id')
    .limit(maxAccounts)
    .execute();
  return [...services, ...devices];
};
