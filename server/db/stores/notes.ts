import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { NoteState, NoteSubject, NoteSummary } from '../../../contract/notes.ts';
import type { NoteTable } from '../note-tables.ts';
import type { Schema } from '../schema.ts';

export type NoteRow = Selectable<NoteTable>;

const tables = { image: 'image_note', viewset: 'viewset_note' } as const satisfies Record<NoteSubject, keyof Schema>;

/** The newest version of a note, for a query of images or viewsets; null without one. */
export const newestNote = (subject: NoteSubject) =>
  sql<NoteSummary | null>`(select jsonb_build_object('version', note.version, 'state', note.state)
    from ${sql.table(tables[subject])} as note
    where note.subject_id = ${sql.ref(`${subject}.id`)} order by note.version desc limit 1)`;

/** Returns all versions of a note, newest first. */
export const noteVersions = async (db: Kysely<Schema>, subject: NoteSubject, id: string): Promise<NoteRow[]> => {
  const { rows } = await sql<NoteRow>`
    select * from ${sql.table(tables[subject])} where subject_id = ${id} order by version desc`.execute(db);
  return rows;
};

/** Returns the newest version of each note on these images or viewsets, the oldest first. */
export const newestNotes = async (
  db: Kysely<Schema>,
  subject: NoteSubject,
  ids: readonly string[],
): Promise<NoteRow[]> => {
  const { rows } = await sql<NoteRow>`
    select * from (
      select distinct on (subject_id) * from ${sql.table(tables[subject])}
      where subject_id = any(${[...ids]}::uuid[]) order by subject_id, version desc
    ) as newest order by saved_at, subject_id`.execute(db);
  return rows;
};

export interface NoteChange {
  readonly subject: NoteSubject;
  readonly id: string;
  readonly state: NoteState;
  readonly text: string;
  readonly accountId: string;
}

/**
 * Inserts the version after `version` and returns it; null when another one was saved meanwhile. The same change by the same account counts
 * as saved: its first reply was lost.
 */
export const insertNote = async (
  transaction: Transaction<Schema>,
  { subject, id, state, text, accountId }: NoteChange,
  version: number,
): Promise<NoteRow | null> => {
  const table = sql.table(tables[subject]);
  await sql`
    insert into ${table} (subject_id, version, state, text, author_id, author_name)
    select ${id}::uuid, ${version + 1}::integer, ${state}, ${text}, account.id, account.first_name || ' ' || account.last_name
    from account where account.id = ${accountId}
      and (select coalesce(max(version), 0) from ${table} where subject_id = ${id}) = ${version}::integer
    on conflict do nothing`.execute(transaction);
  const { rows } = await sql<NoteRow>`
    select * from ${table} where subject_id = ${id} and version = ${version + 1}::integer
      and state = ${state} and text = ${text} and author_id = ${accountId}`.execute(transaction);
  return rows[0] ?? null;
};
