import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** Openings stored per account: enough for `openedLimit` patients in each of a few clinics. */
const storedLimit = 100;

/** Records that an account opened a patient now, and drops its oldest openings beyond the limit. */
export const notePatientOpened = async (db: Kysely<Schema>, accountId: string, patientId: string): Promise<void> => {
  await db
    .insertInto('patient_opening')
    .values({ account_id: accountId, patient_id: patientId, opened_at: sql`clock_timestamp()` })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'patient_id']).doUpdateSet({ opened_at: sql`excluded.opened_at` }),
    )
    .execute();
  await sql`
    delete from patient_opening where account_id = ${accountId} and opened_at < (
      select opened_at from patient_opening where account_id = ${accountId}
      order by opened_at desc offset ${storedLimit - 1} limit 1)`.execute(db);
};
