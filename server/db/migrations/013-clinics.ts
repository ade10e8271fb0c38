import { type Kysely, sql } from 'kysely';

/** Marks the cells of these rows, in the words of SQL; `rows` has `customer_id` and a moment. */
const mark = (rows: string, moment: string): string =>
  `insert into statistics_change (customer_id, week) select distinct customer_id, stockholm_week(${moment}) from ${rows};`;

const imagesOf = (condition: string): string =>
  `(select image.customer_id, image.created_at from image join series on series.id = image.series_id
     join study on study.id = series.study_id where ${condition}) as images`;

const trigger = (name: string, body: string): string =>
  `create function ${name}() returns trigger language plpgsql as $body$ begin ${body} return null; end $body$`;

/** What counts changes with a row of that table: its own cell, and those of what lies below it. */
const changed = (table: string, columns: readonly string[], marks: string): readonly string[] => {
  const differs = columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
  return [
    trigger(`statistics_${table}_changed`, marks),
    `create trigger statistics_changed after update of ${columns.join(', ')} on ${table} for each row when (${differs})
      execute function statistics_${table}_changed()`,
  ];
};

const added = (table: string, moment: string): readonly string[] => [
  trigger(`statistics_${table}_added`, mark('added', moment)),
  `create trigger statistics_added after insert on ${table} referencing new table as added for each statement
    execute function statistics_${table}_added()`,
  trigger(`statistics_${table}_gone`, mark('gone', moment)),
  `create trigger statistics_gone after delete on ${table} referencing old table as gone for each statement
    execute function statistics_${table}_gone()`,
];

const both = (moment: string) =>
  `(values (old.customer_id, old.${moment}), (new.customer_id, new.${moment})) as cells (customer_id, ${moment})`;

const lists = [
  // Numbers as they are written, and their digits alone.
  'alter table customer drop column search_text',
  `alter table customer add column search_text text not null generated always as (search_key(
     name || ' ' || coalesce(organisation_number, '') || ' ' || coalesce(regexp_replace(organisation_number, '[^0-9]', '', 'g'), '') || ' ' ||
     coalesce(customer_number, '') || ' ' || coalesce(city, ''))) stored`,
  'create index customer_search on customer using gin (search_text gin_trgm_ops) where deleted_at is null',
  'create index customer_by_name on customer (name_key, id) where deleted_at is null',
  `create index customer_by_city on customer ((coalesce(list_key(city), '') collate "C"), name_key, id) where deleted_at is null`,
  `create index customer_by_organisation_number on customer ((coalesce(list_key(organisation_number), '') collate "C"), id)
     where deleted_at is null`,
  `create index customer_by_customer_number on customer ((coalesce(list_key(customer_number), '') collate "C"), id) where deleted_at is null`,
  'create index customer_deleted on customer (id) where deleted_at is not null',
  'create index account_status on account (customer_id, is_active) where deleted_at is null',
  'create index import_task_customer on import_task (customer_id) where step < 5 and not cancelled',
];

/*
 * What came in, counted by clinic and week, so that nobody waits while a million rows are counted. Whatever changes what counts only marks the cells
 * that it touches (no lock, no quarrel between two imports); marked cells are counted anew from the rows themselves, so that they cannot drift.
 */
const statistics = [
  `create function stockholm_week(timestamptz) returns date language sql immutable strict parallel safe as
     $body$ select date_trunc('week', $1 at time zone 'Europe/Stockholm')::date $body$`,
  `create table statistics_week (
     customer_id uuid not null references customer, week date not null, patients integer not null, studies integer not null,
     images integer not null, primary key (customer_id, week))`,
  'create index statistics_week_all on statistics_week (week) include (customer_id, patients, studies, images)',
  `create table statistics_total (
     customer_id uuid primary key references customer, patients integer not null, studies integer not null, images integer not null)`,
  'create table statistics_change (customer_id uuid not null, week date not null)',
  'create index patient_week on patient (customer_id, stockholm_week(entered_date)) where deleted_at is null',
  'create index study_week on study (customer_id, stockholm_week(created_at)) where deleted_at is null',
  'create index image_week on image (customer_id, stockholm_week(created_at)) where deleted_at is null',
  ...added('patient', 'entered_date'),
  ...added('study', 'created_at'),
  ...added('image', 'created_at'),
  ...changed('image', ['deleted_at', 'series_id', 'customer_id', 'created_at'], mark(both('created_at'), 'created_at')),
  ...changed('series', ['deleted_at', 'study_id'], mark(imagesOf('series.id = new.id'), 'created_at')),
  ...changed(
    'study',
    ['deleted_at', 'patient_id', 'customer_id', 'created_at'],
    mark(both('created_at'), 'created_at') + mark(imagesOf('study.id = new.id'), 'created_at'),
  ),
  ...changed(
    'patient',
    ['deleted_at', 'customer_id', 'entered_date'],
    mark(both('entered_date'), 'entered_date') +
      mark('(select customer_id, created_at from study where patient_id = new.id) as studies', 'created_at') +
      mark(imagesOf('study.patient_id = new.id'), 'created_at'),
  ),
  // What is there already is counted at the first opportunity.
  `insert into statistics_change (customer_id, week)
     select customer_id, stockholm_week(entered_date) from patient union select customer_id, stockholm_week(created_at) from study
     union select customer_id, stockholm_week(created_at) from image`,
];

/** Lists of clinics, and the numbers above them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...lists, ...statistics]) await sql.raw(statement).execute(db);
};
