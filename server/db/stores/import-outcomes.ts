import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { FileStatus } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';

/** Outcome of a file. Absent fields stay unchanged. */
export interface FileOutcome {
  readonly id: string;
  readonly status: FileStatus;
  readonly problem?: string | null;
  readonly detail?: string | null;
  readonly summary?: unknown;
  readonly named_patient?: unknown;
  readonly modality?: string;
  readonly study_key?: string;
  readonly image_id?: string;
  readonly was_restored?: true;
}

const settledId = z.object({ id: z.string() });

/**
 * Writes the outcomes of files that still have one of the statuses `from`, in one statement. Returns their ids; the others were settled
 * concurrently.
 */
export const settleFiles = async (
  db: Kysely<Schema>,
  from: readonly FileStatus[],
  outcomes: readonly FileOutcome[],
): Promise<ReadonlySet<string>> => {
  if (outcomes.length === 0) return new Set();
  // Fixed order, so that concurrent updates of the same files wait instead of deadlocking.
  const rows = JSON.stringify(outcomes.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
  const { rows: settled } = await sql`
    update import_file set
      status = new.status,
      problem = case when new.given ? 'problem' then new.problem else import_file.problem end,
      detail = case when new.given ? 'detail' then new.detail else import_file.detail end,
      summary = coalesce(new.summary, import_file.summary),
      named_patient = coalesce(new.named_patient, import_file.named_patient),
      modality = coalesce(new.modality, import_file.modality),
      study_key = coalesce(new.study_key, import_file.study_key),
      image_id = coalesce(new.image_id, import_file.image_id),
      was_restored = new.was_restored or import_file.was_restored
    from (
      select (given->>'id')::uuid as id, given->>'status' as status, given->>'problem' as problem, given->>'detail' as detail,
        given->'summary' as summary, given->'named_patient' as named_patient, given->>'modality' as modality,
        given->>'study_key' as study_key, (given->>'image_id')::uuid as image_id,
        coalesce((given->>'was_restored')::boolean, false) as was_restored, given
      from jsonb_array_elements(${rows}::jsonb) as given
    ) as new
    where import_file.id = new.id and import_file.status = any(${[...from]}::text[])
    returning import_file.id`.execute(db);
  return new Set(settled.map((row) => settledId.parse(row).id));
};

/** Changes the status of all waiting files of a study (or of all excluded ones). */
export const moveFiles = async (
  db: Kysely<Schema>,
  study: { readonly taskId: string; readonly key: string },
  from: readonly FileStatus[],
  to: FileStatus,
): Promise<void> => {
  await db
    .updateTable('import_file')
    .set({ status: to })
    .where('task_id', '=', study.taskId)
    .where('study_key', '=', study.key)
    .where('status', 'in', from)
    .execute();
};

/** Problems that may be temporary. */
const passing = ['storage-failed', 'took-too-long'] as const;

const refusedTemporarily = (db: Kysely<Schema>, taskId: string) =>
  db
    .selectFrom('import_file')
    .select('id')
    .where('task_id', '=', taskId)
    .where('status', '=', 'refused')
    .where('problem', 'in', passing);

/** Entries whose bytes were never unpacked: the zip is unpacked again and inserts new rows. */
const repack = async (db: Kysely<Schema>, taskId: string): Promise<number> => {
  const entries = refusedTemporarily(db, taskId).where('sha256', 'is', null).where('container_id', 'is not', null);
  const rows = await db.deleteFrom('import_file').where('id', 'in', entries).returning('container_id').execute();
  const zips = [...new Set(rows.flatMap((row) => row.container_id ?? []))];
  if (zips.length === 0) return 0;
  await db
    .updateTable('import_file')
    .set({ status: 'received', problem: null, detail: null })
    .where('id', 'in', zips)
    .where('status', '=', 'unpacked')
    .execute();
  return zips.length;
};

/** Queues temporarily refused files again. Returns their number. */
export const requeueFiles = async (db: Kysely<Schema>, taskId: string): Promise<number> => {
  const zips = await repack(db, taskId);
  const rows = await db
    .updateTable('import_file')
    .set({ status: 'received', problem: null, detail: null })
    .where('id', 'in', refusedTemporarily(db, taskId))
    .returning('id')
    .execute();
  return zips + rows.length;
};

export interface FileToAdd {
  readonly id: string;
  readonly taskId: string;
  readonly path: string;
  readonly containerId: string | null;
  readonly problem: string;
  readonly detail: string;
}

/** Inserts rows for files that are listed but missing. Idempotent. */
export const addMissingFiles = async (db: Kysely<Schema>, files: readonly FileToAdd[]): Promise<void> => {
  if (files.length === 0) return;
  await db
    .insertInto('import_file')
    .values(
      files.map(({ id, taskId, path, containerId, problem, detail }) => ({
        id,
        task_id: taskId,
        path,
        container_id: containerId,
        problem,
        detail,
        size_bytes: 0,
        status: 'refused',
        file_name: path.slice(path.lastIndexOf('/') + 1),
      })) as never,
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
