import { type Kysely, sql } from 'kysely';

/** What the search looks at of a patient, so that an entry of the index stays below PostgreSQL's 2,700 bytes: words, and signs of each. */
const [mostWords, longestWord] = [10, 40];

const statements = [
  // How many words of search_text, counted from its end, are of the last name.
  'alter table patient add column last_words smallint not null default 1',
  `update patient set last_words = greatest(1, cardinality(regexp_split_to_array(trim(last_name), '[ /,-]+')))`,
  `alter table patient add column name_key text collate "C" not null
    generated always as (list_key(last_name || ' ' || first_name)) stored`,
  'create index patient_list on patient (customer_id, name_key, id) where deleted_at is null',
  'create index patient_last_study on patient (customer_id, last_study_date) where deleted_at is null',
  // A personal number in the ways in which it is typed: whole; without its century; its last four signs.
  `create function number_forms(digits text) returns text[] language sql immutable strict parallel safe as
    $body$ select array_remove(array[nullif(left(lower(digits), ${longestWord}), ''),
      case when digits ~ '^(18|19|20)[0-9]{6}.{4}$' then substr(lower(digits), 3) end,
      case when length(digits) between 10 and ${longestWord} then right(lower(digits), 4) end], null) $body$`,
  /*
   * What a patient is found by. names is the same in all rows of a patient: the words of the last name, then of the first name, each with a space
   * before it, then the forms of the personal number, each with a # before it. A row is one of these: start is where its sign stands in names;
   * place 0 is the last name, 1 the first name, 2 the number. One index answers a prefix in the order in which hits are shown, and holds what a
   * further word is looked for in.
   */
  `create table patient_word (
    customer_id uuid not null, place smallint not null, word text collate "C" not null, names text collate "C" not null,
    patient_id uuid not null, start smallint not null, primary key (customer_id, place, word, names, patient_id, start))`,
  `create function patient_words(search_text text, last_words smallint, digits text)
    returns table (place smallint, word text, names text, start smallint) language sql immutable parallel safe as
    $body$
      with typed as (select string_to_array(trim(search_text), ' ') as words),
        parted as (select words, greatest(cardinality(words) - last_words, 0) as firsts from typed),
        ordered as (select (words[firsts + 1:] || words[:firsts])[:${mostWords}] as words, cardinality(words) - firsts as lasts from parted),
        pieces as (
          select at, case when at <= lasts then 0 else 1 end as place, ' ' as sign, left(said, ${longestWord}) as word
            from ordered, unnest(ordered.words) with ordinality as each (said, at)
          union all
          select ${mostWords} + at, 2, '#', form from unnest(number_forms(digits)) with ordinality as each (form, at))
      select place::smallint, word, string_agg(sign || word, '') over (order by at rows between unbounded preceding and unbounded following),
        (1 + coalesce(sum(length(word) + 1) over (order by at rows between unbounded preceding and 1 preceding), 0))::smallint
      from pieces
    $body$`,
  `create function write_patient_words() returns trigger language plpgsql as
    $body$ begin
      insert into patient_word (customer_id, place, word, names, patient_id, start)
        select customer_id, found.place, found.word, found.names, id, found.start
        from added, patient_words(search_text, last_words, search_digits) as found where deleted_at is null;
      return null;
    end $body$`,
  `create function change_patient_words() returns trigger language plpgsql as
    $body$ begin
      if old.deleted_at is null then
        delete from patient_word using patient_words(old.search_text, old.last_words, old.search_digits) as found
          where customer_id = old.customer_id and patient_word.place = found.place and patient_word.word = found.word
            and patient_word.names = found.names and patient_id = old.id and patient_word.start = found.start;
      end if;
      if tg_op = 'UPDATE' and new.deleted_at is null then
        insert into patient_word (customer_id, place, word, names, patient_id, start)
          select new.customer_id, found.place, found.word, found.names, new.id, found.start
          from patient_words(new.search_text, new.last_words, new.search_digits) as found;
      end if;
      return null;
    end $body$`,
  `create trigger patient_words_added after insert on patient referencing new table as added
    for each statement execute function write_patient_words()`,
  `create trigger patient_words_changed after update on patient for each row when (
      (old.customer_id, old.search_text, old.last_words, old.search_digits, old.deleted_at is null)
        is distinct from (new.customer_id, new.search_text, new.last_words, new.search_digits, new.deleted_at is null))
    execute function change_patient_words()`,
  'create trigger patient_words_removed after delete on patient for each row execute function change_patient_words()',
  `insert into patient_word (customer_id, place, word, names, patient_id, start)
    select customer_id, found.place, found.word, found.names, id, found.start
    from patient, patient_words(search_text, last_words, search_digits) as found where deleted_at is null`,
  // Nothing asks them any more, and each write had to keep them.
  'drop index patient_search_text, patient_search_digits, patient_name',

  // Of description and accession number, folded, each word with a space before it.
  `alter table study add column search_text text not null default ''`,
  `update study set search_text = search_key(description || ' ' || coalesce(accession_number, ''))`,
  `create table study_word (customer_id uuid not null, word text collate "C" not null, study_id uuid not null,
    primary key (customer_id, word, study_id))`,
  `create function study_words(search_text text) returns setof text language sql immutable parallel safe as
    $body$ select distinct left(word, ${longestWord}) from unnest(string_to_array(trim(search_text), ' ')) as word $body$`,
  `create function write_study_words() returns trigger language plpgsql as
    $body$ begin
      insert into study_word (customer_id, word, study_id)
        select customer_id, word, id from added, study_words(search_text) as word where deleted_at is null;
      return null;
    end $body$`,
  `create function change_study_words() returns trigger language plpgsql as
    $body$ begin
      if old.deleted_at is null then
        delete from study_word where customer_id = old.customer_id and study_id = old.id
          and word in (select study_words(old.search_text));
      end if;
      if tg_op = 'UPDATE' and new.deleted_at is null then
        insert into study_word (customer_id, word, study_id) select new.customer_id, word, new.id from study_words(new.search_text) as word;
      end if;
      return null;
    end $body$`,
  `create trigger study_words_added after insert on study referencing new table as added
    for each statement execute function write_study_words()`,
  `create trigger study_words_changed after update on study for each row when (
      (old.customer_id, old.search_text, old.deleted_at is null) is distinct from (new.customer_id, new.search_text, new.deleted_at is null))
    execute function change_study_words()`,
  'create trigger study_words_removed after delete on study for each row execute function change_study_words()',
  `insert into study_word (customer_id, word, study_id)
    select customer_id, word, id from study, study_words(search_text) as word where deleted_at is null`,
  `create index study_list on study (customer_id, (coalesce(study_date, '-infinity'::date)), id) where deleted_at is null`,
];

/** Patients and studies are found by words, and listed by name and by day, however many a clinic has. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
