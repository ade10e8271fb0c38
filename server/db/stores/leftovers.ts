import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';

/** Files of a finished import besides its images, which may be removed after a while. Refused files stay, because a user may want to see them. */
const passing = ['unpacked', 'left-out', 'ignored', 'duplicate'];

const secondsAgo = (milliseconds: number) => sql`now() - make_interval(secs => ${sql.lit(milliseconds / 1000)})`;

/** Compiles queries without a connection. */
const compiler = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Import files whose bytes must be in the store; `keepMs` is the retention of the files of finished imports. */
const isImportFileKept = (keepMs: number) => sql`not (
  import_task.step = ${sql.lit(importSteps.done)} and import_task.updated_at < ${secondsAgo(keepMs)}
  and import_file.status in (${sql.join(passing.map((status) => sql.lit(status)))}))`;

/** Large files of an open import that are stored, but have no import file yet. */
const isImportPartOpen = sql`import_part.file_id is null
  and import_task.step = ${sql.lit(importSteps.uploading)} and not import_task.error`;

/** Returns which of these hashes a row references: an image, its original, an import file, or a large file being stored. */
export const referencedAmong = async (
  db: Kysely<Schema>,
  hashes: readonly string[],
  keepMs: number,
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ sha256: string }>`
    select asked.sha256 from unnest(${[...hashes]}::text[]) as asked (sha256)
    where exists (select 1 from image where image.sha256 = asked.sha256)
      or exists (select 1 from image where image.original_sha256 = asked.sha256)
      or exists (
        select 1 from import_file join import_task on import_task.id = import_file.task_id
        where import_file.sha256 = asked.sha256 and ${isImportFileKept(keepMs)})
      or exists (
        select 1 from import_part join import_task on import_task.id = import_part.task_id
        where import_part.sha256 = asked.sha256 and ${isImportPartOpen})`.execute(db);
  return new Set(rows.map((row) => row.sha256));
};

/** A query without parameters for all hashes that `referencedAmong` would name, in order. */
export const referencedFilesQuery = (keepMs: number): string => {
  const query = sql<{ sha256: string }>`
    select sha256 from (
      select sha256 from image
      union select original_sha256 from image
      union select import_file.sha256 from import_file join import_task on import_task.id = import_file.task_id
        where ${isImportFileKept(keepMs)}
      union select import_part.sha256 from import_part join import_task on import_task.id = import_part.task_id
        where ${isImportPartOpen}) as named
    where sha256 is not null order by sha256 collate "C"`;
  return query.compile(compiler).sql;
};

/**
 * Deletes failed and cancelled imports after the retention period; not while they are leased, and of received ones those alone that a user discarded:
 * their sender relies on the archive. Returns their number.
 */
export const removeEndedTasks = (db: Kysely<Schema>, keepMs: number): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      select id from import_task
      where error and (source is null or cancelled) and updated_at < ${secondsAgo(keepMs)} and (lease_until is null or lease_until < now())
      for update skip locked`.execute(transaction);
    const ids = rows.map((row) => row.id);
    if (ids.length === 0) return 0;
    await transaction.deleteFrom('import_file').where('task_id', 'in', ids).execute();
    await transaction.deleteFrom('import_task').where('id', 'in', ids).execute();
    return ids.length;
  });

/** Returns which of these imports still accept files. */
export const uploadingAmong = async (db: Kysely<Schema>, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('import_task')
    .select('id')
    .where('id', 'in', ids)
    .where('step', '=', importSteps.uploading)
    .where('error', '=', false)
    .execute();
  return new Set(rows.map((row) => row.id));
};

/** Returns which of these imports exist. */
export const importsAmong = async (db: Kysely<Schema>, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('import_task').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
};
