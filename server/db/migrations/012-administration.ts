import { type Kysely, sql } from 'kysely';

/** Letters as PostgreSQL's C locale does not lower them, beside what they are lowered to. */
const upper = 'ÅÄÆÖØÉÈÊËÜÁÀÂÍÏÓÔÚÛÇÑÕÃÐÞ';
const lower = 'åäæöøéèêëüáàâíïóôúûçñõãðþ';

const statements = [
  /*
   * Text as lists are sorted by: å, ä and ö after z, with their Danish and Norwegian sisters beside them; other marks make no difference. Held to the
   * C locale, so that it is the same on every installation and an index serves it.
   */
  `create function list_key(text) returns text language sql immutable strict parallel safe as
    $body$ select translate(lower(translate($1, '${upper}', '${lower}') collate "C"), 'åäæöøéèêëüáàâíïóôúûçñõãðþ', '{||}}eeeeyaaaiioouucnoadt') $body$`,
  // Words of letters and digits, folded as server/domain/search-key.ts folds what is searched for, with a space before each.
  `create function search_key(text) returns text language sql immutable strict parallel safe as
    $body$ select ' ' || trim(regexp_replace(translate(replace(lower(translate($1, '${upper}', '${lower}') collate "C"), 'æ', 'ae'),
      'åäöøéèêëüáàâíïóôúûçñõãðþ', 'aaooeeeeuaaaiioouucnoadt'), '[^a-z0-9]+', ' ', 'g')) $body$`,
  `alter table customer add column country text not null default 'SE' check (country in ('SE', 'DK', 'NO')),
    add column name_key text collate "C" not null generated always as (list_key(name)) stored,
    add column search_text text not null generated always as (search_key(
      name || ' ' || coalesce(organisation_number, '') || ' ' || coalesce(customer_number, '') || ' ' || coalesce(city, ''))) stored`,
  `alter table account add column version integer not null default 1,
    add column name_key text collate "C" not null generated always as (list_key(last_name || ' ' || first_name)) stored,
    add column search_text text not null generated always as (search_key(first_name || ' ' || last_name || ' ' || email || ' ' ||
      coalesce(regexp_replace(personal_number, '[^0-9]', '', 'g'), ''))) stored`,
  `alter table role add column version integer not null default 1, add column is_built_in boolean not null default false`,
  `update role set is_built_in = true where name in ('SuperAdmin', 'CustomerAdmin', 'Doctor')`,
  'create unique index role_name on role (lower(name))',
  'create index account_role on account (role_id) where deleted_at is null',
];

/** What administration needs of clinics, people and roles. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
