import { type Kysely, sql } from 'kysely';
import type { FileStatus } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import type { ImportFileRow } from './imports.ts';

/** A file without most of its parse result: an import may have tens of thousands. */
export type FileFacts = Omit<ImportFileRow, 'summary'> & {
  readonly summary: { readonly kind?: string; readonly teeth?: unknown; readonly acquiredAt?: unknown } | null;
};

/** Returns the files of several tasks in order of arrival. */
export const factsOfFiles = async (db: Kysely<Schema>, taskIds: readonly string[]): Promise<FileFacts[]> => {
  if (taskIds.length === 0) return [];
  return db
    .selectFrom('import_file')
    .select(['id', 'task_id', 'file_name', 'path', 'container_id', 'size_bytes', 'sha256', 'aws_name', 'status'])
    .select(['problem', 'detail', 'named_patient', 'modality', 'study_key', 'image_id', 'was_restored'])
    .select('received_at')
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

/** Counts the files of a task by status. */
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

/** Returns the received, unread files except `except`. */
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

/** Returns the next unread files with bytes in the store, in order of arrival, except `except`. */
export const nextToRead = (
  db: Kysely<Schema>,
  taskId: string,
  limit: number,
  except: readonly string[] = [],
): Promise<ImportFileRow[]> =>
  received(db, taskId)
    .where('sha256', 'is not', null)
    .where((where) => where.not(where('id', '=', sql<string>`any(${[...except]}::uuid[])`)))
    .orderBy('received_at')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Returns the next files of a study to import, in order of arrival, after `after`. */
export const nextOfStudy = (
  db: Kysely<Schema>,
  study: { readonly taskId: string; readonly key: string },
  after: Pick<ImportFileRow, 'received_at' | 'id'> | null,
  limit: number,
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
        : // Timestamps have microseconds in the table and milliseconds here, so the row itself is compared.
          sql<boolean>`(received_at, id) > ((select received_at from import_file as last where last.id = ${after.id}), ${after.id}::uuid)`,
    )
    .orderBy('received_at')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Returns the DICOMDIRs of a task with their parse results. */
export const directoriesOfTask = (db: Kysely<Schema>, taskId: string) =>
  db
    .selectFrom('import_file')
    .select(['id', 'path', 'container_id', 'summary'])
    .where('task_id', '=', taskId)
    .where('status', '=', 'ignored')
    .where('problem', '=', 'media-directory')
    .orderBy('id')
    .execute();

/** Returns the images of a study with their parse results, in order of arrival; documents have no pixels. */
export const mountableFiles = (
  db: Kysely<Schema>,
  taskId: string,
  key: string,
  statuses: readonly ImportFileRow['status'][] = ['parsed', 'duplicate', 'imported', 'left-out'],
) =>
  db
    .selectFrom('import_file')
    .select(['id', 'summary'])
    .where('task_id', '=', taskId)
    .where('study_key', '=', key)
    .where('status', 'in', statuses)
    .where(sql<boolean>`summary->>'kind' in ('image', 'picture')`)
    .orderBy('received_at')
    .orderBy('id')
    .execute();
