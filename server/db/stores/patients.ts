import type { Kysely, Selectable, Transaction } from 'kysely';
import { personalNumberKey } from '../../domain/personal-number.ts';
import { searchKey } from '../../domain/search-key.ts';
import { inOrderOf } from '../list-page.ts';
import type { PatientTable } from '../patient-tables.ts';
import type { Schema } from '../schema.ts';
import { recordChanges } from './record-changes.ts';

export type PatientRow = Selectable<PatientTable> & { total_studies: number };

/** Editable fields of a patient. */
export interface PatientFields {
  readonly firstName: string;
  readonly lastName: string;
  readonly personalNumber: string;
  readonly birthDate: string | null;
  readonly sex: 'F' | 'M' | 'O' | null;
  readonly comments: string | null;
  /** Absent: as before. */
  readonly protectedIdentity?: boolean | undefined;
}

export interface NewPatient extends PatientFields {
  readonly id: string;
  readonly customerId: string;
}

/** The editable columns and their search columns, always written together. */
export const patientColumns = (fields: PatientFields) => ({
  personal_number: fields.personalNumber,
  first_name: fields.firstName,
  last_name: fields.lastName,
  birth_date: fields.birthDate,
  sex: fields.sex,
  comments: fields.comments,
  ...(fields.protectedIdentity === undefined ? {} : { has_protected_identity: fields.protectedIdentity }),
  search_text: ` ${searchKey(`${fields.firstName} ${fields.lastName}`)}`,
  last_words: searchKey(fields.lastName).split(' ').filter(Boolean).length,
  search_digits: personalNumberKey(fields.personalNumber, fields.birthDate),
});

const counted = (db: Kysely<Schema>) =>
  db
    .selectFrom('patient')
    .selectAll('patient')
    .select((expression) =>
      expression
        .selectFrom('study')
        .whereRef('study.patient_id', '=', 'patient.id')
        .where('study.deleted_at', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('studies'))
        .$asScalar()
        .$castTo<number>()
        .as('total_studies'),
    );

const live = (db: Kysely<Schema>) => counted(db).where('patient.deleted_at', 'is', null);

/** Returns patients in the order of these ids, without those deleted meanwhile. */
export const patientsInOrder = async (db: Kysely<Schema>, ids: readonly string[]): Promise<PatientRow[]> =>
  ids.length === 0
    ? []
    : inOrderOf(
        ids,
        await live(db)
          .where('patient.id', 'in', [...ids])
          .execute(),
      );

export const findPatient = (db: Kysely<Schema>, id: string): Promise<PatientRow | undefined> =>
  live(db).where('patient.id', '=', id).executeTakeFirst();

/** Returns a patient, deleted or not. */
export const anyPatient = (db: Kysely<Schema>, id: string): Promise<PatientRow | undefined> =>
  counted(db).where('patient.id', '=', id).executeTakeFirst();

/** Returns undefined when the clinic already has a patient with this personal number. */
export const insertPatient = async (db: Kysely<Schema>, patient: NewPatient): Promise<string | undefined> => {
  const row = await db
    .insertInto('patient')
    .values({
      id: patient.id,
      customer_id: patient.customerId,
      ...patientColumns(patient),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
};

const factsOf = (transaction: Transaction<Schema>, id: string) =>
  transaction
    .selectFrom('patient')
    .select(['first_name as firstName', 'last_name as lastName', 'personal_number as personalNumber'])
    .select(['birth_date as birthDate', 'sex', 'comments', 'has_protected_identity as protectedIdentity'])
    .where('id', '=', id);

const changeableFields = [
  'firstName',
  'lastName',
  'personalNumber',
  'birthDate',
  'sex',
  'comments',
  'protectedIdentity',
] as const;

/**
 * Updates a patient at `version` and records the changed values; false when it has another version or is gone.
 * @throws the database's unique violation (23505) when the clinic has another patient with this personal number
 */
export const updatePatient = (
  db: Kysely<Schema>,
  { id, version, accountId }: { readonly id: string; readonly version: number; readonly accountId: string },
  fields: PatientFields,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const before = await factsOf(transaction, id)
      .where('version', '=', version)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    await transaction
      .updateTable('patient')
      .set({ ...patientColumns(fields), version: version + 1, modified_date: new Date() })
      .where('id', '=', id)
      .execute();
    const after = await factsOf(transaction, id).executeTakeFirstOrThrow();
    await recordChanges(
      transaction,
      accountId,
      changeableFields.map((field) => ({ subject: 'patient', id, field, before: before[field], after: after[field] })),
    );
    return true;
  });

/** Recomputes the date of the last study after studies changed. Must run in a transaction. */
export const recountLastStudy = async (db: Kysely<Schema>, patientId: string): Promise<void> => {
  // Lock before reading, so that concurrent changes of studies see each other.
  await db.selectFrom('patient').select('id').where('id', '=', patientId).forNoKeyUpdate().execute();
  await db
    .updateTable('patient')
    .set((expression) => ({
      last_study_date: expression
        .selectFrom('study')
        .select(({ fn }) => fn.max('study_date').as('last'))
        .where('patient_id', '=', patientId)
        .where('deleted_at', 'is', null),
    }))
    .where('id', '=', patientId)
    .execute();
};

/** Moves the date of the last study forward, never back. */
export const noteStudyDate = async (db: Kysely<Schema>, patientId: string, date: string): Promise<void> => {
  await db
    .updateTable('patient')
    .set({ last_study_date: date })
    .where('id', '=', patientId)
    .where((where) => where.or([where('last_study_date', 'is', null), where('last_study_date', '<', date)]))
    .execute();
};

/** Locks a patient against merge and deletion until the transaction ends. Returns false when it is deleted. */
export const lockPatient = async (transaction: Transaction<Schema>, id: string): Promise<boolean> => {
  const live = transaction.selectFrom('patient').select('id').where('id', '=', id).where('deleted_at', 'is', null);
  return (await live.forShare().executeTakeFirst()) !== undefined;
};
