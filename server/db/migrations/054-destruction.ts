import { type Kysely, sql } from 'kysely';

/** Functions whose triggers reject changes of rows that are only inserted, and what they say. */
const rejecting = {
  note_version_stays: 'a version of a note is never changed',
  record_change_stays: 'a recorded change is never changed',
  image_grade_stays: 'a grade is never changed',
};

const statements = [
  // No foreign keys: an order stays when what it names is gone, and is restored before it.
  `create table destruction_order (
    id uuid primary key, customer_id uuid not null, kind text not null check (kind in ('patient', 'study', 'image', 'clinic')),
    subject_id uuid not null, patient_id uuid, basis text not null check (basis in ('retention', 'authority')),
    reference text not null, reason text not null,
    state text not null check (state in ('proposed', 'approved', 'destroying', 'destroyed', 'refused', 'revoked', 'lapsed')),
    proposed_by uuid not null, proposed_at timestamptz not null default now(),
    decided_by uuid, decided_at timestamptz, due_at timestamptz, ended_by uuid, ended_at timestamptz,
    patients integer not null default 0, studies integer not null default 0, images integer not null default 0,
    files integer not null default 0, check (decided_by <> proposed_by))`,
  `create unique index destruction_order_open on destruction_order (subject_id) where state in ('proposed', 'approved', 'destroying')`,
  'create index destruction_order_of_clinic on destruction_order (customer_id, proposed_at desc, id)',
  `create table destruction_file (
    order_id uuid not null references destruction_order, sha256 text not null, primary key (order_id, sha256))`,
  // Of one transaction that carries out an order: the order, which must be in progress.
  ...Object.entries(rejecting).map(
    ([
      name,
      text,
    ]) => `create or replace function ${name}() returns trigger language plpgsql set search_path = '' as $body$
      declare
        is_destroyed boolean := false;
      begin
        if tg_op = 'DELETE' then
          execute format('select exists (select from %I.destruction_order where state = ''destroying''
            and id::text = current_setting(''dentarium.destruction'', true))', tg_table_schema) into is_destroyed;
        end if;
        if not is_destroyed then
          raise exception '${text}' using errcode = 'insufficient_privilege';
        end if;
        return null;
      end
    $body$`,
  ),
];

/** Orders to destroy records, and the files that remain to be removed. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
