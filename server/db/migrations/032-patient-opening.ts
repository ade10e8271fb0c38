import { type Kysely, sql } from 'kysely';

const statements = [
  // When an account last opened a patient; the access log holds every opening but cannot be searched by patient within an account.
  `create table patient_opening (
    account_id uuid not null references account on delete cascade, patient_id uuid not null references patient on delete cascade,
    opened_at timestamptz not null, primary key (account_id, patient_id))`,
  'create index patient_opening_newest on patient_opening (account_id, opened_at desc)',
  `insert into patient_opening
    select access_log.account_id, access_log.patient_id, max(access_log.at) from access_log
    join account on account.id = access_log.account_id join patient on patient.id = access_log.patient_id
    where access_log.action = 'patient.opened' and access_log.at > now() - interval '30 days'
    group by access_log.account_id, access_log.patient_id`,
];

/** The patients that each user opened last. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
