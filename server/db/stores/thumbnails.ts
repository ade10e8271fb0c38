import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { claimImage, isUnclaimed } from './derive-claims.ts';
import { type DeriveOutcome, retryColumns } from './derive-retries.ts';
import { hasIntactFile } from './intact-file.ts';

/** Skips rows that are locked: nodes of earlier versions hold a lock while they decode. */
const newestPending = (transaction: Transaction<Schema>) =>
  transaction
    .selectFrom('image')
    .select(['id', 'sha256'])
    .where('thumb_status', '=', 'pending')
    .where('deleted_at', 'is', null)
    .where(hasIntactFile)
    .where(isUnclaimed)
    .orderBy('created_at', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();

/**
 * Claims the newest image without a thumbnail (a user is probably watching its import). Images with a damaged or missing file are skipped. Undefined
 * when there is none.
 */
export const takePendingImage = async (
  db: Kysely<Schema>,
  owner: string,
): Promise<{ readonly id: string; readonly sha256: string } | undefined> => {
  for (;;) {
    const taken = await db.transaction().execute(async (transaction) => {
      const image = await newestPending(transaction);
      return image && { ...image, isOurs: await claimImage(transaction, { imageId: image.id, owner }) };
    });
    if (!taken) return undefined;
    // Otherwise another node was faster.
    if (taken.isOurs) return taken;
  }
};

export const setThumbStatus = async (db: Kysely<Schema>, imageId: string, outcome: DeriveOutcome): Promise<void> => {
  const status = outcome === 'made' ? 'ready' : 'error';
  await db
    .updateTable('image')
    .set({ thumb_status: status, ...retryColumns(outcome) })
    .where('id', '=', imageId)
    .execute();
};

/** Returns the columns needed to show an import file; none for an import of a deleted patient. */
export const findFileShown = (db: Kysely<Schema>, id: string) =>
  db
    .selectFrom('import_file')
    .innerJoin('import_task', 'import_task.id', 'import_file.task_id')
    .leftJoin('import_study', (join) =>
      join
        .onRef('import_study.task_id', '=', 'import_file.task_id')
        .onRef('import_study.key', '=', 'import_file.study_key'),
    )
    .leftJoin('patient', (join) =>
      join.on('patient.id', '=', sql<string>`coalesce(import_study.patient_id, import_task.patient_id)`),
    )
    .select(['import_file.id', 'import_file.sha256', 'import_file.status', 'import_file.summary'])
    .where('import_file.id', '=', id)
    .where('patient.deleted_at', 'is', null)
    .executeTakeFirst();

/** Returns accounts that imported for this patient in the last hour: they get thumbnail events even without a clinic. */
export const recentImporters = async (db: Kysely<Schema>, patientId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('import_task')
    .select('account_id')
    .distinct()
    .where((where) =>
      where.or([
        where('patient_id', '=', patientId),
        where.exists(
          where
            .selectFrom('import_study')
            .select('key')
            .whereRef('import_study.task_id', '=', 'import_task.id')
            .where('import_study.patient_id', '=', patientId),
        ),
      ]),
    )
    .where('created_at', '>', new Date(Date.now() - 60 * 60 * 1000))
    .execute();
  return rows.flatMap((row) => row.account_id ?? []);
};
