import { type Kysely, type Selectable, sql } from 'kysely';
import { claimDue } from '../claim-due.ts';
import type { DicomSendingTable } from '../dicom-transfer-tables.ts';
import type { Schema } from '../schema.ts';
import { secondsFromNow } from '../seconds-from-now.ts';

/** A device has a day to report. */
const waitSeconds = 86_400;

interface Claim {
  readonly id: string;
  readonly owner: string;
}

/** Ends a sending of which each image has an outcome. With sent images the device is asked next whether it has them for good. */
export const endWithCommitment = async (
  db: Kysely<Schema>,
  { id, owner, transactionUid }: Claim & { readonly transactionUid: string },
): Promise<void> => {
  await sql`update dicom_sending set lease_owner = null, lease_until = null, failure = null, ended_at = now(), tries = 0,
      try_at = now(), commitment_uid = ${transactionUid}, commitment_until = ${secondsFromNow(waitSeconds)},
      commitment = case when exists (
        select from dicom_sending_image where sending_id = dicom_sending.id and outcome = 'sent') then 'due' end
    where id = ${id} and lease_owner = ${owner} and ended_at is null`.execute(db);
};

/** Claims the ended sending whose device is to be asked and that no other node works on, for `seconds`. */
export const claimCommitment = (
  db: Kysely<Schema>,
  owner: string,
  seconds: number,
): Promise<Selectable<DicomSendingTable> | undefined> =>
  claimDue(db, 'dicom_sending', sql`commitment = 'due' and commitment_until > now()`, { owner, seconds });

const claimed = (db: Kysely<Schema>, { id, owner }: Claim) =>
  db.updateTable('dicom_sending').where('id', '=', id).where('lease_owner', '=', owner);

/** Notes the answer of the device to the request. A report may have come before it. */
export const settleCommitment = async (
  db: Kysely<Schema>,
  claim: Claim,
  commitment: 'asked' | 'refused',
): Promise<void> => {
  await claimed(db, claim)
    .set({
      lease_owner: null,
      lease_until: null,
      commitment: sql<'asked'>`case when commitment = 'due' then ${commitment} else commitment end`,
    })
    .execute();
};

/** Asks again after `seconds`. */
export const retryCommitment = async (db: Kysely<Schema>, claim: Claim, seconds: number): Promise<void> => {
  await claimed(db, claim)
    .set((row) => ({
      lease_owner: null,
      lease_until: null,
      tries: row('tries', '+', 1),
      try_at: secondsFromNow(seconds),
    }))
    .execute();
};

/** Returns the classes and UIDs of the images that a device has got. */
export const sentObjects = async (db: Kysely<Schema>, id: string) => {
  const rows = await db
    .selectFrom('dicom_sending_image')
    .innerJoin('image', 'image.id', 'dicom_sending_image.image_id')
    .select(['image.sop_class_uid', 'image.sop_instance_uid'])
    .where('sending_id', '=', id)
    .where('outcome', '=', 'sent')
    .orderBy('position')
    .execute();
  return rows.map((row) => ({ sopClassUid: row.sop_class_uid ?? '', sopInstanceUid: row.sop_instance_uid }));
};

interface DeviceReport {
  readonly deviceId: string;
  readonly transactionUid: string;
  readonly committed: readonly string[];
  readonly failed: readonly string[];
}

/** Records the report of a device. False when it was not asked under this transaction. */
export const recordCommitment = (
  db: Kysely<Schema>,
  { deviceId, transactionUid, committed, failed }: DeviceReport,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const sending = await transaction
      .updateTable('dicom_sending')
      .set({ commitment: 'reported' })
      .where('device_id', '=', deviceId)
      .where('commitment_uid', '=', transactionUid)
      .where('commitment', 'in', ['due', 'asked', 'reported'])
      .returning('id')
      .executeTakeFirst();
    if (!sending) return false;
    await sql`update dicom_sending_image set committed = image.sop_instance_uid <> all(${[...failed]}::text[])
      from image where image.id = image_id and sending_id = ${sending.id} and outcome = 'sent'
        and image.sop_instance_uid = any(${[...committed, ...failed]}::text[])`.execute(transaction);
    return true;
  });

/** What a sending shows of its commitment. */
export const commitmentState = sql<
  'waiting' | 'confirmed' | 'not-confirmed' | 'refused' | 'no-answer' | null
>`case when commitment is null then null when commitment = 'refused' then 'refused'
    when commitment = 'reported' then case when exists (
      select from dicom_sending_image where sending_id = dicom_sending.id and outcome = 'sent' and committed is not true)
      then 'not-confirmed' else 'confirmed' end
    when commitment_until < now() then 'no-answer' else 'waiting' end`;
