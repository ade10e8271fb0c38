import { type Kysely, sql } from 'kysely';
import type { FileStatus } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import type { ImportFileRow } from './imports.ts';

/** A file without the whole of what parsing kept of it: an import may have ten thousands. */
export type FileFacts = Omit<ImportFileRow, 'summary'> & {
  readonly summary: { readonly kind?: string; readonly teeth?: unknown; readonly acquiredAt?: unknown } | null;
};

/** Files of several tasks, in the order in which they came. */
export const factsOfFiles = async (db: Kysely<Schema>, taskIds: readonly string[]): Promise<FileFacts[]> => {
  if (taskIds.length === 0) return [];
  return db
    .selectFrom('import_file')
    .select(['id', 'task_id', 'file_name', 'path', 'container_id', 'size_bytes', 'sha256', 'aws_name', 'status'])
    .select(['problem', 'detail', 'named_patient', 'modality', 'study_key', 'image_id', 'received_at'])
    .select(
      sql<FileFacts['summary']>`case when summary is not null then jsonb_build_object(
        'kind', summary->'kind', 'teeth', summary->'teeth', 'acquiredAt', summary->'acquiredAt') end`.as('summary'),
    )
    .where('task_id', 'in', taskIds)
    .orderBy('received_at')
    .orderBy('id')
    .execute();
};

export const factsOfFilesOf = (db: Kysely<Schema>, taskId: string): Promise<FileFacts[]> => factsOfFiles(db, [taskId]);

/** How many files of a task have each status. */
export const countFiles = async (db: Kysely<Schema>, taskId: string): Promise<ReadonlyMap<FileStatus, number>> => {
  const rows = await db
    .selectFrom('import_file')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .where('task_id', '=', taskId)
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status, Number(count)]));
};

const received = (db: Kysely<Schema>, taskId: string) =>
  db.selectFrom('import_file').selectAll().where('task_id', '=', taskId).where('status', '=', 'received');

/** What has come and was not read yet, but `except`. */
export const receivedFiles = (
  db: Kysely<Schema>,
  taskId: string,
  except: ReadonlySet<string> = new Set(),
): Promise<ImportFileRow[]> =>
  received(db, taskId)
    .where((where) => where.not(where('id', '=', sql<string>`any(${[...except]}::uuid[])`)))
    .orderBy('received_at')
    .orderBy('id')
    .execute();

/** The next files to be read whose bytes are there, in the order in which they came, but `except`. */
export const nextToRead = (
  db: Kysely<Schema>,
  taskId: string,
  most: number,
  except: readonly string[] = [],
): Promise<ImportFileRow[]> =>
  received(db, taskId)
    .where('sha256', 'is not', null)
    .where((where) => where.not(where('id', '=', sql<string>`any(${[...except]}::uuid[])`)))
    .orderBy('received_at')
    .orderBy('id')
    .limit(most)
    .execute();

/** The next files of a study to be taken in, in the order in which they came, behind `after`. */
export const nextOfStudy = (
  db: Kysely<Schema>,
  study: { readonly taskId: string; readonly key: string },
  after: Pick<ImportFileRow, 'received_at' | 'id'> | null,
  most: number,
): Promise<ImportFileRow[]> =>
  db
    .selectFrom('import_file')
    .selectAll()
    .where('task_id', '=', study.taskId)
    .where('study_key', '=', study.key)
    .where('status', 'in', ['parsed', 'duplicate'])
    .where(() =>
      after === null
        ? sql<boolean>`true`
        : // A moment has microseconds in the table and milliseconds here: the row itself says when it came.
          sql<boolean>`(received_at, id) > ((select received_at from import_file as last where last.id = ${after.id}), ${after.id}::uuid)`,
    )
    .orderBy('received_at')
    .orderBy('id')
    .limit(most)
    .execute();
