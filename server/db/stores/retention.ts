import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { isListable, type ListReader } from './listable-patients.ts';
import type { PatientRow } from './patients.ts';
import { all } from './search-terms.ts';

export type DuePatientRow = PatientRow & {
  readonly last_entry: Date;
  readonly due_since: Date;
  readonly is_proposed: boolean;
};

export interface DuePage {
  readonly rows: readonly DuePatientRow[];
  readonly totalCount: number;
}

/** Returns the retention of a clinic in years, null for never; undefined for an unknown clinic. */
export const retentionYearsOf = async (db: Kysely<Schema>, customerId: string): Promise<number | null | undefined> =>
  (await db.selectFrom('customer').select('retention_years').where('id', '=', customerId).executeTakeFirst())
    ?.retention_years;

/** When the retention of a patient of this row ends; null for never. */
export const patientRetainedUntil = sql<Date | null>`(select patient_last_entry(patient.id) + make_interval(years => retention_years)
  from customer where customer.id = patient.customer_id)`;

interface DueRequest extends ListReader {
  readonly years: number;
  readonly page: number;
  readonly ppage: number;
}

/** Returns the patients whose last entry is older than `years`, deleted or not, the longest due first. */
export const duePatients = async (
  db: Kysely<Schema>,
  { years, page, ppage, ...reader }: DueRequest,
): Promise<DuePage> => {
  const term = sql`make_interval(years => ${years}::int)`;
  const { rows } = await sql<DuePatientRow & { readonly count: number }>`
    with candidate as materialized (
      select id, patient_last_entry(id) as last_entry from patient
      where ${all([sql<boolean>`customer_id = ${reader.customerId}`, ...isListable(sql`id`, reader)])} and entered_date < now() - ${term} and modified_date < now() - ${term}
        and (last_study_date is null or last_study_date < now() - ${term}))
    select patient.*, last_entry, last_entry + ${term} as due_since,
      exists (select from destruction_order where subject_id = patient.id and state in ('proposed', 'approved', 'destroying')) as is_proposed, count(*) over ()::int as count,
      (select count(*) from study where study.patient_id = patient.id and study.deleted_at is null) as total_studies
    from candidate join patient using (id) where last_entry < now() - ${term}
    order by last_entry, id limit ${ppage} offset ${(page - 1) * ppage}`.execute(db);
  return { rows, totalCount: rows[0]?.count ?? 0 };
};
