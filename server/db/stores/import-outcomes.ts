import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { FileStatus } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';

/** What became of a file. What is not given stays as it is. */
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
}

const settledId = z.object({ id: z.string() });

/**
 * Writes what became of files that still have one of the statuses `from`, in one statement. Returns the ids of those: somebody else was quicker
 * with the others.
 */
export const settleFiles = async (
  db: Kysely<Schema>,
  from: readonly FileStatus[],
  outcomes: readonly FileOutcome[],
): Promise<ReadonlySet<string>> => {
  if (outcomes.length === 0) return new Set();
  // Always in the same order, so that two who settle the same files wait for each other instead of for ever.
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
      image_id = coalesce(new.image_id, import_file.image_id)
    from (
      select (given->>'id')::uuid as id, given->>'status' as status, given->>'problem' as problem, given->>'detail' as detail,
        given->'summary' as summary, given->'named_patient' as named_patient, given->>'modality' as modality,
        given->>'study_key' as study_key, (given->>'image_id')::uuid as image_id, given
      from jsonb_array_elements(${rows}::jsonb) as given
    ) as new
    where import_file.id = new.id and import_file.status = any(${[...from]}::text[])
    returning import_file.id`.execute(db);
  return new Set(settled.map((row) => settledId.parse(row).id));
};

/** All files of a study (or of all that a person left out) that wait: from one status to another. */
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

/** Faults that may be over by now. */
const passing = ['storage-failed', 'took-too-long'] as const;

const refusedInPassing = (db: Kysely<Schema>, taskId: string) =>
  db
    .selectFrom('import_file')
    .select('id')
    .where('task_id', '=', taskId)
    .where('status', '=', 'refused')
    .where('problem', 'in', passing);

/** Entries whose bytes never came out of their zip: the zip is unpacked again, and they get rows of their own then. */
const repack = async (db: Kysely<Schema>, taskId: string): Promise<number> => {
  const entries = refusedInPassing(db, taskId).where('sha256', 'is', null).where('container_id', 'is not', null);
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

/** Files that were refused for a passing reason wait again. Returns how many that were. */
export const reviveFiles = async (db: Kysely<Schema>, taskId: string): Promise<number> => {
  const zips = await repack(db, taskId);
  const rows = await db
    .updateTable('import_file')
    .set({ status: 'received', problem: null, detail: null })
    .where('id', 'in', refusedInPassing(db, taskId))
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

/** Rows of files that should be there and are not. Written again, they are the same rows. */
export const addMissingFiles = async (db: Kysely<Schema>, files: readonly FileToAdd[]): Promise<void> => {
  if (files.length === 0) return;
  await db
    .insertInto('import_file')
    .values(
      files.map(({ id, taskId, path, containerId, problem, detail }) => ({
        ...{ id, task_id: taskId, path, container_id: containerId, problem, detail, size_bytes: 0, status: 'refused' },
        file_name: path.slice(path.lastIndexOf('/') + 1),
      })) as never,
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
