import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import { claimDue } from '../claim-due.ts';
import type { CommitmentRequestTable } from '../dicom-transfer-tables.ts';
import type { Schema } from '../schema.ts';
import { secondsFromNow } from '../seconds-from-now.ts';
import { fileErrorOfImage, visibleImages } from './visible-images.ts';

export type CommitmentRequestRow = Selectable<CommitmentRequestTable>;

interface OfDevice {
  readonly customerId: string;
  readonly deviceId: string;
}

interface NewCommitmentRequest extends OfDevice {
  readonly transactionUid: string;
  readonly objects: CommitmentRequestRow['objects'];
}

/** Requests of one device that may wait at the same time. */
const maxWaiting = 1_000;

/** Returns its id, also of the same request that waits already; `taken` when the transaction waits with other objects. */
export const insertCommitmentRequest = async (
  transaction: Transaction<Schema>,
  { customerId, deviceId, transactionUid, objects }: NewCommitmentRequest,
): Promise<{ readonly id: string } | 'taken' | 'full'> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`commitment ${deviceId}`}, 0))`.execute(transaction);
  const json = JSON.stringify(objects);
  const known = await transaction
    .selectFrom('commitment_request')
    .select('id')
    .select(sql<boolean>`objects = ${json}::jsonb`.as('isSame'))
    .where('device_id', '=', deviceId)
    .where('transaction_uid', '=', transactionUid)
    .executeTakeFirst();
  if (known) return known.isSame ? { id: known.id } : 'taken';
  const { waiting } = await transaction
    .selectFrom('commitment_request')
    .select(sql<number>`count(*)::int`.as('waiting'))
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow();
  if (waiting >= maxWaiting) return 'full';
  const id = randomUUID();
  await transaction
    .insertInto('commitment_request')
    .values({ id, customer_id: customerId, device_id: deviceId, transaction_uid: transactionUid, objects: json })
    .execute();
  return { id };
};

/** A request, and how long it has waited. */
export interface WaitingRequest extends CommitmentRequestRow {
  readonly ageSeconds: number;
}

/** Claims the request that is due longest and that no other node works on, for `seconds`. */
export const claimCommitmentRequest = (
  db: Kysely<Schema>,
  owner: string,
  seconds: number,
): Promise<WaitingRequest | undefined> =>
  claimDue(
    db,
    'commitment_request',
    sql`true`,
    { owner, seconds },
    sql<{ readonly ageSeconds: number }>`, extract(epoch from now() - created_at)::float8 as "ageSeconds"`,
  );

/** Claims one request, if it is there and no other node works on it. */
export const claimOneRequest = (
  db: Kysely<Schema>,
  { id, owner, seconds }: { readonly id: string; readonly owner: string; readonly seconds: number },
): Promise<CommitmentRequestRow | undefined> =>
  db
    .updateTable('commitment_request')
    .set({ lease_owner: owner, lease_until: secondsFromNow(seconds) })
    .where('id', '=', id)
    .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', sql<Date>`now()`)]))
    .returningAll()
    .executeTakeFirst();

interface Claim {
  readonly id: string;
  readonly owner: string;
}

/** Gives a request back, to be worked on in `seconds`; `failed` counts an attempt. */
export const postponeCommitmentRequest = async (
  db: Kysely<Schema>,
  { id, owner }: Claim,
  { seconds, failed }: { readonly seconds: number; readonly failed: boolean },
): Promise<void> => {
  await db
    .updateTable('commitment_request')
    .set((row) => ({
      lease_owner: null,
      lease_until: null,
      try_at: secondsFromNow(seconds),
      tries: row('tries', '+', failed ? 1 : 0),
    }))
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute();
};

/** Removes a request that is reported, or that is given up. */
export const endCommitmentRequest = async (db: Kysely<Schema>, { id, owner }: Claim): Promise<void> => {
  await db.deleteFrom('commitment_request').where('id', '=', id).where('lease_owner', '=', owner).execute();
};

/** Days of imports in which objects of a device are looked up. */
const sentDays = 60;

/** An image of a clinic that is not deleted, in an intact file. */
export interface StoredInstance {
  readonly sopInstanceUid: string;
  readonly sopClassUid: string | null;
  readonly isIntact: boolean;
}

/** Returns the images of a clinic that are not deleted, by their UIDs. */
export const instancesOf = async (
  db: Kysely<Schema>,
  customerId: string,
  uids: readonly string[],
): Promise<readonly StoredInstance[]> => {
  const rows = await visibleImages(db)
    .select(['image.sop_instance_uid', 'image.sop_class_uid', fileErrorOfImage.as('file_error')])
    .where('image.customer_id', '=', customerId)
    .where('image.sop_instance_uid', '=', sql<string>`any(${[...uids]}::text[])`)
    .execute();
  return rows.map((row) => ({
    sopInstanceUid: row.sop_instance_uid,
    sopClassUid: row.sop_class_uid,
    isIntact: row.file_error === null,
  }));
};

/**
 * What became of an object that a device sent: it waits, also for a user (`known`: the clinic has the same bytes already); it went in, or was there; it
 * did not.
 */
export type SentState = 'waits' | 'known' | 'settled' | 'rejected';

/** Returns what became of the last file that a device sent of each object. Objects that it did not send are missing. */
export const sentBy = async (
  db: Kysely<Schema>,
  { customerId, deviceId }: OfDevice,
  uids: readonly string[],
): Promise<ReadonlyMap<string, SentState>> => {
  const names = uids.map((uid) => `${uid}.dcm`);
  const { rows } = await sql<{ name: string; state: SentState }>`
    select distinct on (file_name) file_name as name,
      case when import_file.status = 'imported' then 'settled'
        when import_file.status not in ('received', 'parsed', 'duplicate') then 'rejected'
        when import_file.status = 'duplicate' then
          case when import_task.step < ${importSteps.done} and not import_task.cancelled then 'known' else 'settled' end
        when import_task.step < ${importSteps.done} and not import_task.cancelled then 'waits'
        else 'rejected' end as state
    from import_task join import_file on import_file.task_id = import_task.id
    where import_task.source_id = ${deviceId} and import_task.source = 'dicom' and import_task.customer_id = ${customerId}
      and import_task.created_at > now() - make_interval(days => ${sentDays})
      and import_file.file_name = any(${names}::text[])
    order by file_name, import_file.received_at desc, import_file.id`.execute(db);
  return new Map(rows.map(({ name, state }) => [name.slice(0, -'.dcm'.length), state]));
};
