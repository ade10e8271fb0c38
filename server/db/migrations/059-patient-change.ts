import { type Kysely, sql } from 'kysely';

const fields = ['firstName', 'lastName', 'personalNumber', 'birthDate', 'sex', 'comments', 'protectedIdentity'];

const statements = [
  `create table patient_change (
    id bigint generated always as identity primary key, subject_id uuid not null references patient,
    field text not null check (field in (${fields.map((name) => `'${name}'`).join(', ')})),
    before jsonb not null, after jsonb not null,
    author_id uuid not null references account, author_name text not null, changed_at timestamptz not null default now())`,
  'create index patient_change_of_subject on patient_change (subject_id)',
  `create trigger patient_change_stays before update or delete or truncate on patient_change
    for each statement execute function record_change_stays()`,
  // Also in a session that skips ordinary triggers.
  'alter table patient_change enable always trigger patient_change_stays',
];

/** Old and new values of patients, as `image_change` and `study_change` have those of images and studies. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
