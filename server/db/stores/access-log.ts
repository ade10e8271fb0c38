import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** What was done with a patient's data. A closed list, so that a log extract can be put into plain words. */
export type AccessAction =
  | 'patient.listed'
  | 'patient.opened'
  | 'patient.created'
  | 'patient.edited'
  | 'studies.opened'
  | 'study.edited'
  | 'study.deleted'
  | 'study.restored'
  | 'series.deleted'
  | 'series.restored'
  | 'viewset.opened'
  | 'viewset.created'
  | 'viewset.edited'
  | 'viewset.deleted'
  | 'viewset.restored'
  | 'image.opened'
  | 'image.mounted'
  | 'image.unmounted'
  | 'image.moved'
  | 'image.display-saved'
  | 'image.measured'
  | 'image.edited'
  | 'image.deleted'
  | 'image.restored'
  | 'import.opened'
  | 'import.begun'
  | 'import.decided'
  | 'import.confirmed'
  | 'import.cancelled';

export interface Access {
  readonly accountId: string;
  readonly customerId: string;
  readonly patientId: string | null;
  readonly action: AccessAction;
  /** Id of the study, series, image, viewset or import; null when the patient is the object. */
  readonly objectId: string | null;
  readonly at: Date;
}

export const insertAccesses = async (db: Kysely<Schema>, accesses: readonly Access[]): Promise<void> => {
  if (accesses.length === 0) return;
  const rows = accesses.map((access) => ({
    at: access.at,
    account_id: access.accountId,
    customer_id: access.customerId,
    patient_id: access.patientId,
    action: access.action,
    object_id: access.objectId,
  }));
  await db.insertInto('access_log').values(rows).execute();
};
