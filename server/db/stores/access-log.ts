import { type Kysely, sql } from 'kysely';
import type { AccessAction } from '../../../contract/access-log.ts';
import type { Schema } from '../schema.ts';

export interface Access {
  /** Of a user or a service account. Null: a refused sign-in with an unknown name, or an action of the command line. */
  readonly accountId: string | null;
  /** Null: no clinic. */
  readonly customerId: string | null;
  readonly patientId: string | null;
  readonly action: AccessAction;
  /** Id of the study, series, image, viewset or import; null when the patient is the object. */
  readonly objectId: string | null;
  /** Sign-in method, or problem code. */
  readonly detail?: string | null;
  /** Of a sign-in or a refused call: the address of the client. */
  readonly address?: string | null;
  /** Of a refused call: method and route pattern. */
  readonly request?: string | null;
  readonly at: Date;
}

/** Appends entries in order, with the current role of each account. */
export const insertAccesses = async (db: Kysely<Schema>, accesses: readonly Access[]): Promise<void> => {
  if (accesses.length === 0) return;
  const column = (read: (access: Access) => string | null | undefined) =>
    accesses.map((access) => read(access) ?? null);
  // Columns are passed as arrays: nine parameters, however many entries.
  await sql`
    insert into access_log (at, account_id, customer_id, patient_id, action, object_id, detail, address, request, role)
    select entry.at, entry.account_id, entry.customer_id, entry.patient_id, entry.action, entry.object_id, entry.detail, entry.address,
      entry.request, role.name
    from unnest(
      ${column(({ at }) => at.toISOString())}::timestamptz[], ${column(({ accountId }) => accountId)}::uuid[],
      ${column(({ customerId }) => customerId)}::uuid[], ${column(({ patientId }) => patientId)}::uuid[],
      ${column(({ action }) => action)}::text[], ${column(({ objectId }) => objectId)}::text[],
      ${column(({ detail }) => detail)}::text[], ${column(({ address }) => address)}::text[],
      ${column(({ request }) => request)}::text[]
    ) with ordinality as entry (at, account_id, customer_id, patient_id, action, object_id, detail, address, request, place)
    left join account on account.id = entry.account_id
    left join role on role.id = account.role_id
    order by entry.place`.execute(db);
};
