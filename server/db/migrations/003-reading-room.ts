import { type Kysely, sql } from 'kysely';

/** What people keep beside the images: how they are shown, measurements, teeth, trays, favourites, and versions to tell edits apart. */
const statements = [
  'alter table series add column deleted_at timestamptz',
  'alter table study add column version integer not null default 1',
  `alter table image add column version integer not null default 1, add column chosen_teeth integer[],
    add column marks jsonb not null default '[]', add column calibration jsonb, add column marks_version integer not null default 0`,
  `create table image_display (
    image_id uuid not null references image, viewset_id uuid references viewset, display jsonb, version integer not null,
    account_id uuid not null references account, saved_at timestamptz not null default now())`,
  'create unique index image_display_in_viewset on image_display (image_id, viewset_id) where viewset_id is not null',
  'create unique index image_display_alone on image_display (image_id) where viewset_id is null',
  'create index image_display_viewset on image_display (viewset_id)',
  `create table viewset_detached (
    viewset_id uuid not null references viewset, image_id uuid not null references image, position integer not null,
    primary key (viewset_id, image_id))`,
  'create index viewset_detached_image on viewset_detached (image_id)',
  'alter table template add column customer_id uuid references customer',
  `create table template_favorite (
    account_id uuid not null references account, template_id uuid not null references template, is_favorite boolean not null,
    primary key (account_id, template_id))`,
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
