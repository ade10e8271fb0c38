import { type Kysely, sql } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import type { ImportTaskRow } from './imports.ts';

/** The steps in which the archive is at work by itself; in the others it waits for a person. */
export const workingSteps = [importSteps.preparing, importSteps.parsing, importSteps.importing] as const;

const until = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

/**
 * Takes the oldest task that has work to do and that nobody holds, for `seconds`. Whoever dies loses it when that time is over.
 * `skip locked` lets several nodes ask at once.
 */
export const takeTask = (db: Kysely<Schema>, owner: string, seconds: number): Promise<ImportTaskRow | undefined> =>
  db
    .updateTable('import_task')
    .set({ lease_owner: owner, lease_until: until(seconds) })
    .where('id', '=', (query) =>
      query
        .selectFrom('import_task as waiting')
        .select('waiting.id')
        .where('waiting.step', 'in', workingSteps)
        .where('waiting.error', '=', false)
        .where((where) =>
          where.or([where('waiting.lease_until', 'is', null), where('waiting.lease_until', '<', sql<Date>`now()`)]),
        )
        .orderBy('waiting.created_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();

/** False when the lease was lost, or the import withdrawn, in the meantime: the work must stop. */
export const keepTask = async (db: Kysely<Schema>, id: string, owner: string, seconds: number): Promise<boolean> => {
  const row = await db
    .updateTable('import_task')
    .set({ lease_until: until(seconds) })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('cancelled', '=', false)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

export const releaseTask = async (db: Kysely<Schema>, id: string, owner: string): Promise<void> => {
  await db
    .updateTable('import_task')
    .set({ lease_owner: null, lease_until: null })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute();
};
