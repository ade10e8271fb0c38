import { type Kysely, sql } from 'kysely';

const statements = [
  'create extension if not exists fuzzystrmatch',
  // Without a unique index: two transactions that add the same name at once would wait for each other.
  'create table patient_name_word (customer_id uuid not null, word text collate "C" not null)',
  `insert into patient_name_word (customer_id, word) select distinct customer_id, word from patient_word where place < 2`,
  'create index patient_name_word_by_clinic on patient_name_word (customer_id, word)',
  `create function add_name_words() returns trigger language plpgsql as
    $body$ begin
      insert into patient_name_word (customer_id, word)
        select distinct customer_id, word from added where place < 2 and not exists (
          select from patient_name_word as known where known.customer_id = added.customer_id and known.word = added.word);
      return null;
    end $body$`,
  `create function remove_name_words() returns trigger language plpgsql as
    $body$ begin
      delete from patient_name_word using removed
        where patient_name_word.customer_id = removed.customer_id and patient_name_word.word = removed.word
          and removed.place < 2 and not exists (select from patient_word as kept
            where kept.customer_id = removed.customer_id and kept.place in (0, 1) and kept.word = removed.word);
      return null;
    end $body$`,
  `create trigger name_words_added after insert on patient_word referencing new table as added
    for each statement execute function add_name_words()`,
  `create trigger name_words_removed after delete on patient_word referencing old table as removed
    for each statement execute function remove_name_words()`,
  // As migration 020 does: pg_restore empties the search path.
  `do $do$ begin
    execute format('alter function add_name_words() set search_path = %I, pg_temp', current_schema());
    execute format('alter function remove_name_words() set search_path = %I, pg_temp', current_schema());
  end $do$`,
  'analyze patient_name_word',
];

/** The distinct words of the names of each clinic, which a misspelt search word is compared with. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
