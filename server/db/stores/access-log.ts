import type { Kysely } from 'kysely';
import type { AccessAction } from '../../../contract/access-log.ts';
import type { Schema } from '../schema.ts';

export interface Access {
  /** Null: nobody, in a sign-in under a name that there is not. */
  readonly accountId: string | null;
  /** Null: of no clinic. */
  readonly customerId: string | null;
  readonly patientId: string | null;
  readonly action: AccessAction;
  /** Id of the study, series, image, viewset or import; null when the patient is the object. */
  readonly objectId: string | null;
  /** Method of a sign-in, code of a refusal. */
  readonly detail?: string | null;
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
    detail: access.detail ?? null,
  }));
  await db.insertInto('access_log').values(rows).execute();
};
