import { type Kysely, sql } from 'kysely';

/**
 * What is made for the viewer ahead no longer comes with the thumbnail but after the thumbnails of a whole import: `pending`, then `reduced` when
 * the small picture for mounts is there, then `ready`, or `error` when it is left to who asks for it.
 */
const statements = [
  `alter table image add column rendition_status text not null default 'pending'
    check (rendition_status in ('pending', 'reduced', 'ready', 'error'))`,
  // Until now they were there when the thumbnail was.
  `update image set rendition_status = case thumb_status when 'ready' then 'ready' else 'error' end where thumb_status <> 'pending'`,
  `create index image_rendition_pending on image (rendition_status, created_at)
    where rendition_status in ('pending', 'reduced') and kind = 'image'`,
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
