import { type Kysely, sql } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../schema.ts';
import { secondsFromNow } from '../seconds-from-now.ts';
import type { ImportTaskRow } from './imports.ts';

/** Steps with background work; in the others the import waits for a user. */
export const workingSteps = [importSteps.preparing, importSteps.parsing, importSteps.importing] as const;

/**
 * Claims the oldest task with work and no lease, for `seconds`. A dead node loses it after that time. `skip locked` lets several nodes claim
 * at once.
 */
export const claimTask = (db: Kysely<Schema>, owner: string, seconds: number): Promise<ImportTaskRow | undefined> =>
  db
    .updateTable('import_task')
    .set({ lease_owner: owner, lease_until: secondsFromNow(seconds) })
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

/** Renews a lease. False when it was lost or the import was cancelled: the work must stop. */
export const renewLease = async (db: Kysely<Schema>, id: string, owner: string, seconds: number): Promise<boolean> => {
  const row = await db
    .updateTable('import_task')
    .set({ lease_until: secondsFromNow(seconds) })
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
