import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { FileProblem } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import type { ImportFileRow } from './imports.ts';

export type EntryOutcome =
  | { readonly sha256: string; readonly sizeBytes: number }
  | { readonly problem: FileProblem; readonly detail: string };

interface NewEntry {
  /** Position in the zip, counted from 0. */
  readonly index: number;
  readonly path: string;
  readonly sizeBytes: number;
}

const maxNameLength = 255;

/** Returns the totals of the other zips of this task, so that nested zips share the limits of one. */
export const unpackedBefore = async (db: Kysely<Schema>, taskId: string, zipId: string) => {
  const { entries, bytes } = await db
    .selectFrom('import_file')
    .select(({ fn }) => [fn.countAll<string>().as('entries'), fn.sum<string | null>('size_bytes').as('bytes')])
    .where('task_id', '=', taskId)
    .where('container_id', 'is not', null)
    .where('container_id', '!=', zipId)
    .where('sha256', 'is not', null)
    .executeTakeFirstOrThrow();
  return { entries: Number(entries), bytes: Number(bytes ?? 0) };
};

/** Returns the paths of the entries that have a row. */
export const pathsOfEntries = async (db: Kysely<Schema>, zipId: string): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom('import_file').select('path').where('container_id', '=', zipId).execute();
  return new Set(rows.map(({ path }) => path));
};

/** Returns the nesting depth of a zip: 1 when it was sent itself. */
export const depthOfZip = async (db: Kysely<Schema>, row: Pick<ImportFileRow, 'container_id'>): Promise<number> => {
  let depth = 1;
  for (let container = row.container_id; container !== null; depth += 1) {
    const outer: { container_id: string | null } | undefined = await db
      .selectFrom('import_file')
      .select('container_id')
      .where('id', '=', container)
      .executeTakeFirst();
    container = outer?.container_id ?? null;
  }
  return depth;
};

/** Inserts the row of an unpacked or refused entry; an existing row is unchanged. */
export const insertEntry = async (
  db: Kysely<Schema>,
  zip: ImportFileRow,
  { index, path, sizeBytes }: NewEntry,
  outcome: EntryOutcome,
): Promise<void> => {
  const name = path.slice(path.lastIndexOf('/') + 1) || 'unnamed';
  await db
    .insertInto('import_file')
    .values({
      id: randomUUID(),
      task_id: zip.task_id,
      container_id: zip.id,
      path,
      file_name: name.slice(0, maxNameLength),
      ...('sha256' in outcome
        ? { status: 'received', sha256: outcome.sha256, size_bytes: outcome.sizeBytes }
        : { status: 'refused', size_bytes: sizeBytes, ...outcome }),
      // File order: entries follow the order of their zip, whichever was unpacked first.
      received_at: sql`${zip.received_at}::timestamptz + ${index + 1}::integer * interval '1 microsecond'`,
    })
    // Another node that held the task before may have written the row.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
