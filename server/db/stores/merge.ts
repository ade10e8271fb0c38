import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { MergeCounts } from '../../../contract/merge.ts';
import type { Schema } from '../schema.ts';
import { importsOf, lockRecords, type PatientPair } from './lock-records.ts';
import { recountLastStudy } from './patients.ts';
import { recordChanges } from './record-changes.ts';
import { isListed } from './visible-images.ts';

export type Merge = PatientPair;

/** Returns the studies of a patient, newest first, with their contents that are not deleted. */
const studiesOf = (db: Kysely<Schema>, patientId: string) =>
  db
    .selectFrom('study')
    .select(['id', 'description', 'study_date', 'version', 'deleted_at'])
    .select([
      sql<number>`(select count(*) from image join series on series.id = image.series_id
        where series.study_id = study.id and image.deleted_at is null and series.deleted_at is null and ${isListed})`.as(
        'images',
      ),
      sql<number>`(select count(*) from viewset where viewset.study_id = study.id and viewset.deleted_at is null)`.as(
        'viewsets',
      ),
    ])
    .where('patient_id', '=', patientId)
    .orderBy('study_date', (order) => order.desc().nullsLast())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** What a merge moves, at this moment. */
export interface Movable {
  readonly studies: Awaited<ReturnType<typeof studiesOf>>;
  readonly counts: MergeCounts;
  /** Changes with anything that the preview shows. */
  readonly seen: string;
}

export const movable = async (db: Kysely<Schema>, { from, to }: Merge): Promise<Movable> => {
  const all = await studiesOf(db, from);
  const imports = await importsOf(db, from).execute();
  const patients = await db
    .selectFrom('patient')
    .select(['id', 'version'])
    .where('id', 'in', [from, to])
    .orderBy('id')
    .execute();
  const studies = all.filter((study) => study.deleted_at === null);
  const sum = (what: 'images' | 'viewsets') => studies.reduce((total, study) => total + Number(study[what]), 0);
  const counts = {
    studies: studies.length,
    deletedStudies: all.length - studies.length,
    images: sum('images'),
    viewsets: sum('viewsets'),
    imports: imports.filter((task) => task.step < importSteps.done && !task.cancelled).length,
  };
  const shown = JSON.stringify([from, to, patients, all, counts.imports]);
  return { studies, counts, seen: createHash('sha256').update(shown).digest('base64url') };
};

/** A confirmed name mismatch applied to the other patient only, so it must be confirmed again while no file has been imported. */
const moveImports = async (
  transaction: Transaction<Schema>,
  { from, to }: Merge,
  tasks: readonly string[],
): Promise<void> => {
  if (tasks.length === 0) return;
  await sql`
    update import_study set patient_id = ${to},
      mismatch_confirmed = import_study.mismatch_confirmed and import_task.step > ${importSteps.validation}
    from import_task
    where import_task.id = import_study.task_id and task_id = any(${[...tasks]}::uuid[]) and import_study.patient_id = ${from}
  `.execute(transaction);
  await transaction
    .updateTable('import_task')
    .set({ patient_id: to })
    .where('id', 'in', [...tasks])
    .where('patient_id', '=', from)
    .execute();
};

/** Result of a merge: a patient is gone, or something changed since the preview. */
export type Merged = { readonly studies: readonly string[]; readonly counts: MergeCounts } | 'gone' | 'changed';

/**
 * Moves all studies of a patient, including deleted ones, and the unfinished imports to another patient of the clinic. Contents of studies are
 * unchanged. UIDs cannot clash, because they are unique within the clinic.
 */
export const mergePatients = async (
  transaction: Transaction<Schema>,
  merge: Merge & { readonly accountId: string },
  seen: string | undefined,
): Promise<Merged> => {
  const held = await lockRecords(transaction, merge);
  if (!held) return 'gone';
  const { counts, seen: now } = await movable(transaction, merge);
  if (seen !== undefined && seen !== now) return 'changed';
  await moveImports(transaction, merge, held.tasks);
  if (held.studies.length > 0)
    await transaction.updateTable('study').set({ patient_id: merge.to }).where('id', 'in', held.studies).execute();
  await transaction
    .updateTable('imaging_order')
    .set({ patient_id: merge.to })
    .where('patient_id', '=', merge.from)
    .execute();
  await recordChanges(
    transaction,
    merge.accountId,
    held.studies.map((id) => ({ subject: 'study', id, field: 'patient', before: merge.from, after: merge.to })),
  );
  await recountLastStudy(transaction, merge.from);
  await recountLastStudy(transaction, merge.to);
  return { studies: held.studies, counts };
};
