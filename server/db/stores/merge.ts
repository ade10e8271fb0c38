import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import type { MergeCounts } from '../../../contract/merge.ts';
import type { Schema } from '../schema.ts';
import { recountLastStudy } from './patients.ts';

export interface Merge {
  readonly from: string;
  readonly to: string;
}

/** The studies of a patient, the newest first, with what each holds that is not in the recycle bin. */
const studiesOf = (db: Kysely<Schema>, patientId: string) =>
  db
    .selectFrom('study')
    .select(['id', 'description', 'study_date', 'version', 'deleted_at'])
    .select([
      sql<number>`(select count(*) from image join series on series.id = image.series_id
        where series.study_id = study.id and image.deleted_at is null and series.deleted_at is null)`.as('images'),
      sql<number>`(select count(*) from viewset where viewset.study_id = study.id and viewset.deleted_at is null)`.as(
        'viewsets',
      ),
    ])
    .where('patient_id', '=', patientId)
    .orderBy('study_date', (order) => order.desc().nullsLast())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** Imports that were begun for the patient, or bring them a study. */
const importsOf = (db: Kysely<Schema>, patientId: string) =>
  db
    .selectFrom('import_task')
    .select(['id', 'step', 'error', 'cancelled'])
    .where((where) =>
      where.or([
        where('patient_id', '=', patientId),
        where('id', 'in', where.selectFrom('import_study').select('task_id').where('patient_id', '=', patientId)),
      ]),
    )
    .orderBy('id');

/** What a merge moves, as it is at this moment. */
export interface Movable {
  readonly studies: Awaited<ReturnType<typeof studiesOf>>;
  readonly counts: MergeCounts;
  /** Changes with anything that a person was shown. */
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

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Merges of the same patient go one after the other, whichever way each goes: two that exchange records would leave each with the other's. */
const takeTurns = async (transaction: Transaction<Schema>, merge: Merge): Promise<void> => {
  for (const id of [merge.from, merge.to].sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`merge ${id}`}, 0))`.execute(transaction);
};

/**
 * Holds still what the merge is about, in the order in which everybody else takes hold of it: imports, what they bring, viewsets, studies, patients;
 * of each in the order of their ids. False when one of the patients is not there any more.
 */
const holdStill = async (
  transaction: Transaction<Schema>,
  { from, to }: Merge,
): Promise<{ readonly tasks: string[]; readonly studies: string[] } | null> => {
  const tasks = idsOf(await importsOf(transaction, from).forUpdate().execute());
  await transaction
    .selectFrom('import_study')
    .select('key')
    .where('task_id', '=', sql<string>`any(${tasks}::uuid[])`)
    .where('patient_id', '=', from)
    .orderBy('task_id')
    .orderBy('key')
    .forUpdate()
    .execute();
  await transaction
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .select('viewset.id')
    .where('study.patient_id', '=', from)
    .orderBy('viewset.id')
    .forUpdate('viewset')
    .execute();
  const studies = await transaction
    .selectFrom('study')
    .select('id')
    .where('patient_id', '=', from)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const patients = await transaction
    .selectFrom('patient')
    .select('id')
    .where('id', 'in', [from, to])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return patients.length === 2 ? { tasks, studies: idsOf(studies) } : null;
};

/** A person who confirmed that files of another name are this patient's said nothing of the other one: as long as nothing came in, they are asked again. */
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

/** What a merge moved; or why it did not: a patient is gone, or something has changed since it was seen. */
export type Merged = { readonly studies: readonly string[]; readonly counts: MergeCounts } | 'gone' | 'changed';

/**
 * Moves all studies of one patient to another of the same clinic, those of the recycle bin too, and the imports that have yet to bring something. What
 * is in a study comes with it untouched. UIDs cannot clash: they are unique within the clinic.
 */
export const mergePatients = async (
  transaction: Transaction<Schema>,
  merge: Merge,
  seen: string | undefined,
): Promise<Merged> => {
  await takeTurns(transaction, merge);
  const held = await holdStill(transaction, merge);
  if (!held) return 'gone';
  const { counts, seen: now } = await movable(transaction, merge);
  if (seen !== undefined && seen !== now) return 'changed';
  await moveImports(transaction, merge, held.tasks);
  if (held.studies.length > 0)
    await transaction.updateTable('study').set({ patient_id: merge.to }).where('id', 'in', held.studies).execute();
  await recountLastStudy(transaction, merge.from);
  await recountLastStudy(transaction, merge.to);
  return { studies: held.studies, counts };
};
