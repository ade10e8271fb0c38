import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** Two patients between whom records move. */
export interface PatientPair {
  readonly from: string;
  readonly to: string;
}

export const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Imports that were started for the patient, or contain a study for the patient. */
export const importsOf = (db: Kysely<Schema>, patientId: string) =>
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

/** Serializes merges and moves of the same patients in either direction: two opposite ones at once would swap their records. */
const takeTurns = async (transaction: Transaction<Schema>, pair: PatientPair): Promise<void> => {
  for (const id of [pair.from, pair.to].sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`merge ${id}`}, 0))`.execute(transaction);
};

interface LockOptions {
  readonly studyTo?: string | null;
  readonly fromBin?: boolean;
  readonly lockWithin?: () => Promise<unknown>;
}

/**
 * Locks the records of a merge or move in the common lock order: imports, their studies, viewsets, studies, series and images (`lockWithin`),
 * patients; each by id. `studyTo`: the target study of the other patient. Null when a patient is gone; the first may be deleted with
 * `fromBin`.
 */
export const lockRecords = async (
  transaction: Transaction<Schema>,
  pair: PatientPair,
  { studyTo = null, fromBin = false, lockWithin = async () => undefined }: LockOptions = {},
): Promise<{ readonly tasks: string[]; readonly viewsets: string[]; readonly studies: string[] } | null> => {
  const { from, to } = pair;
  await takeTurns(transaction, pair);
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
  const viewsets = await transaction
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .select('viewset.id')
    .where((where) => where.or([where('study.patient_id', '=', from), where('study.id', '=', studyTo)]))
    .orderBy('viewset.id')
    .forUpdate('viewset')
    .execute();
  const studies = await transaction
    .selectFrom('study')
    .select(['id', 'patient_id'])
    .where((where) => where.or([where('patient_id', '=', from), where('id', '=', studyTo)]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  await lockWithin();
  const patients = await transaction
    .selectFrom('patient')
    .select('id')
    .where('id', 'in', [from, to])
    .where((where) =>
      fromBin ? where.or([where('deleted_at', 'is', null), where('id', '=', from)]) : where('deleted_at', 'is', null),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (patients.length !== 2) return null;
  return { tasks, viewsets: idsOf(viewsets), studies: idsOf(studies.filter((study) => study.patient_id === from)) };
};
