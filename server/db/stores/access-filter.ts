import { type RawBuilder, sql } from 'kysely';
import { type AccessPattern, manyPatients, recipientActions } from '../../../contract/access-log.ts';

/** Absent fields do not filter. Days `YYYY-MM-DD` of Europe/Stockholm, both inclusive. */
export interface AccessFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly customerId?: string | null | undefined;
  readonly accountId?: string | undefined;
  readonly patientId?: string | undefined;
  readonly action?: string | undefined;
  readonly pattern?: AccessPattern | undefined;
  /** Whether patterns of names find patients with protected identity. */
  readonly seesProtected?: boolean;
}

type Condition = RawBuilder<unknown>;

/** Start of a day at the clinics: days are 23 or 25 hours long when the clock changes. */
const dawnOf = (day: string, plus: number): RawBuilder<Date> =>
  sql<Date>`((${day}::date + ${plus}::integer)::timestamp at time zone 'Europe/Stockholm')`;

const ofPeriod = ({ from, to, customerId, accountId }: AccessFilter): Condition[] => [
  ...(from === undefined ? [] : [sql`entry.at >= ${dawnOf(from, 0)}`]),
  ...(to === undefined ? [] : [sql`entry.at < ${dawnOf(to, 1)}`]),
  ...(customerId ? [sql`entry.customer_id = ${customerId}::uuid`] : []),
  ...(accountId === undefined ? [] : [sql`entry.account_id = ${accountId}::uuid`]),
];

const firstWord = (table: string) => sql`split_part(${sql.ref(`${table}.name_key`)}, ' ', 1)`;

// The first word decides most pairs, since `list_key` of each takes seconds in a long period.
const hasSameSurname = sql`${firstWord('account')} = ${firstWord('patient')}
  and list_key(account.last_name) = list_key(patient.last_name) and list_key(patient.last_name) <> ''`;

const sameNames: Readonly<Record<Exclude<AccessPattern, 'many-patients'>, Condition>> = {
  'own-name': sql`account.id = entry.account_id and account.name_key = patient.name_key`,
  'same-surname': sql`account.id = entry.account_id and ${hasSameSurname}`,
  staff: sql`account.customer_id = entry.customer_id and account.name_key = patient.name_key`,
};

const hourOf = sql`date_trunc('hour', entry.at, 'UTC')`;

/** Users are counted in each clinic alone, so that the log of one tells nothing about another. */
const ofPattern = (pattern: AccessPattern, filter: AccessFilter): Condition =>
  pattern === 'many-patients'
    ? sql`entry.action = 'patient.opened' and (entry.account_id, entry.customer_id, ${hourOf}) in (
        select entry.account_id, entry.customer_id, ${hourOf} from access_log as entry
        where ${sql.join([sql`entry.action = 'patient.opened'`, ...ofPeriod(filter)], sql` and `)}
        group by 1, 2, 3 having count(distinct entry.patient_id) >= ${manyPatients})`
    : sql`entry.action not like '%.listed' and entry.action <> all(${[...recipientActions]}::text[]) and exists (
        select from patient, account where patient.id = entry.patient_id and ${sameNames[pattern]}
        ${filter.seesProtected ? sql`` : sql`and not patient.has_protected_identity`})`;

/** Returns the conditions of a filter for rows of `access_log as entry`. */
export const accessConditions = (filter: AccessFilter): Condition[] => {
  const { patientId, action, pattern } = filter;
  return [
    ...ofPeriod(filter),
    ...(patientId === undefined ? [] : [sql`entry.patient_id = ${patientId}::uuid`]),
    ...(action === undefined ? [] : [sql`entry.action = ${action}`]),
    ...(pattern === undefined ? [] : [ofPattern(pattern, filter)]),
  ];
};
