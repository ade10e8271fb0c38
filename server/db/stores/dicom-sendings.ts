import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import {
  type DicomSending,
  type ImageOutcome,
  type SendingFailure,
  unsentImagesAtMost,
} from '../../../contract/dicom-sendings.ts';
import type { DicomSendingTable } from '../dicom-transfer-tables.ts';
import type { Schema } from '../schema.ts';
import { type DicomWebImageRow, leavingInstances } from './dicomweb-images.ts';
import { commitmentState } from './sending-commitments.ts';
import { transferLeases } from './transfer-leases.ts';

export type DicomSendingRow = Selectable<DicomSendingTable>;

const isLeased = sql<boolean>`(lease_until is not null and lease_until >= now())`;

/** Days for which an ended sending is listed. */
const keptDays = 7;

interface NewSending extends Pick<DicomSendingRow, 'customer_id' | 'patient_id' | 'device_id' | 'created_by'> {
  readonly imageIds: readonly string[];
}

/** Returns its id. Removes sendings that ended some days ago. */
export const insertSending = async (
  transaction: Transaction<Schema>,
  { imageIds, ...sending }: NewSending,
): Promise<string> => {
  await sql`delete from dicom_sending where ended_at < now() - make_interval(days => ${keptDays})`.execute(transaction);
  const id = randomUUID();
  await transaction
    .insertInto('dicom_sending')
    .values({ id, ...sending })
    .execute();
  await sql`insert into dicom_sending_image (sending_id, image_id, position)
    select ${id}::uuid, image_id, position from unnest(${[...imageIds]}::uuid[]) with ordinality as chosen (image_id, position)`.execute(
    transaction,
  );
  return id;
};

export const sendingLeases = transferLeases('dicom_sending');

const owned = (db: Kysely<Schema>, id: string, owner: string) =>
  db.updateTable('dicom_sending').where('id', '=', id).where('lease_owner', '=', owner).where('ended_at', 'is', null);

/** Puts an image behind the others, so that one by which a device breaks off does not keep the others from being sent. */
export const postponeImage = async (db: Kysely<Schema>, sendingId: string, imageId: string): Promise<void> => {
  await sql`update dicom_sending_image set position = (
      select max(position) + 1 from dicom_sending_image as other where other.sending_id = ${sendingId})
    where sending_id = ${sendingId} and image_id = ${imageId} and outcome is null`.execute(db);
};

/** Ends a sending: with a failure, or null when each image has an outcome. */
export const endSending = async (
  db: Kysely<Schema>,
  { id, owner, failure }: { readonly id: string; readonly owner: string; readonly failure: SendingFailure | null },
): Promise<void> => {
  await owned(db, id, owner).set({ lease_owner: null, lease_until: null, failure, ended_at: sql`now()` }).execute();
};

/** Returns the images without an outcome in their order; null for one that is deleted, or not of this patient and clinic any more. */
export const unsentImages = async (
  db: Kysely<Schema>,
  { id, patient_id, customer_id }: Pick<DicomSendingRow, 'id' | 'patient_id' | 'customer_id'>,
): Promise<readonly { readonly imageId: string; readonly row: DicomWebImageRow | null }[]> => {
  const waiting = await db
    .selectFrom('dicom_sending_image')
    .select('image_id')
    .where('sending_id', '=', id)
    .where('outcome', 'is', null)
    .orderBy('position')
    .execute();
  const rows = await leavingInstances(db)
    .where('image.id', 'in', (query) =>
      query
        .selectFrom('dicom_sending_image')
        .select('image_id')
        .where('sending_id', '=', id)
        .where('outcome', 'is', null),
    )
    .where('study.patient_id', '=', patient_id)
    .where('study.customer_id', '=', customer_id)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return waiting.map(({ image_id: imageId }) => ({ imageId, row: byId.get(imageId) ?? null }));
};

/** Returns an image as it leaves now; undefined for one that is deleted, or not of this patient and clinic any more. */
export const imageToSend = (
  db: Kysely<Schema>,
  { patient_id, customer_id }: Pick<DicomSendingRow, 'patient_id' | 'customer_id'>,
  imageId: string,
): Promise<DicomWebImageRow | undefined> =>
  leavingInstances(db)
    .where('image.id', '=', imageId)
    .where('study.patient_id', '=', patient_id)
    .where('study.customer_id', '=', customer_id)
    .executeTakeFirst();

/** Records how it went with an image; a sent one also ends a row of failures. */
export const noteOutcome = async (
  db: Kysely<Schema>,
  sendingId: string,
  imageId: string,
  { outcome, status = null }: { readonly outcome: ImageOutcome; readonly status?: number | null },
): Promise<void> => {
  await db
    .updateTable('dicom_sending_image')
    .set({ outcome, status })
    .where('sending_id', '=', sendingId)
    .where('image_id', '=', imageId)
    .execute();
  if (outcome !== 'sent') return;
  await db
    .updateTable('dicom_sending')
    .set({ tries: 0, failure: null })
    .where('id', '=', sendingId)
    .where('ended_at', 'is', null)
    .execute();
};

const own = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('dicom_sending')
    .innerJoin('dicom_device', 'dicom_device.id', 'dicom_sending.device_id')
    .innerJoin('customer', 'customer.id', 'dicom_sending.customer_id')
    .where('customer.deleted_at', 'is', null)
    .where('dicom_sending.created_by', '=', accountId)
    .select(['dicom_sending.id', 'dicom_sending.customer_id as customerId', 'patient_id as patientId'])
    .select(['dicom_device.name as deviceName', 'dicom_sending.created_at as createdAt', 'failure'])
    .select(
      sql<DicomSending['state']>`case when cancelled then 'cancelled' when ended_at is null then
        case when ${isLeased} then 'sending' else 'waiting' end
        when failure is null then 'done' else 'failed' end`.as('state'),
    )
    .select(commitmentState.as('commitment'))
    .select(
      sql<
        Pick<DicomSending, 'total' | 'sent' | 'notSent' | 'notConfirmed'>
      >`(select jsonb_build_object('total', count(*),
        'sent', count(*) filter (where outcome = 'sent'), 'notSent', count(*) filter (where outcome <> 'sent'),
        'notConfirmed', count(*) filter (where outcome = 'sent' and committed is not true))
        from dicom_sending_image where sending_id = dicom_sending.id)`.as('counts'),
    )
    .select(
      sql<
        DicomSending['unsent']
      >`coalesce((select jsonb_agg(jsonb_build_object('imageUID', image_id, 'modality', modality,
          'number', number, 'reason', outcome, 'status', status) order by position) from (
        select image_id, series.modality, image.number, outcome, status, position from dicom_sending_image
        join image on image.id = image_id join series on series.id = image.series_id
        where sending_id = dicom_sending.id and outcome <> 'sent' order by position limit ${unsentImagesAtMost}) as unsent), '[]')`.as(
        'unsent',
      ),
    );

type SendingFacts = Awaited<ReturnType<ReturnType<typeof own>['execute']>>[number];

const sendingOf = ({ counts, createdAt, ...sending }: SendingFacts): DicomSending => ({
  ...sending,
  ...counts,
  createdAt: createdAt.toISOString(),
});

/** Returns the sendings of an account in a clinic, the newest first. */
export const sendingsOf = async (
  db: Kysely<Schema>,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<DicomSending[]> => {
  const rows = await own(db, accountId)
    .where('dicom_sending.customer_id', '=', customerId)
    .orderBy('dicom_sending.created_at', 'desc')
    .orderBy('dicom_sending.id')
    .execute();
  return rows.map(sendingOf);
};

export const sendingById = async (
  db: Kysely<Schema>,
  accountId: string,
  id: string,
): Promise<DicomSending | undefined> => {
  const row = await own(db, accountId).where('dicom_sending.id', '=', id).executeTakeFirst();
  return row && sendingOf(row);
};

/** Ends a sending that has not ended: the node that works on it stops. */
export const cancelSending = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('dicom_sending')
    .set({ cancelled: true, failure: null, ended_at: sql`now()` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
};

/** Returns whether it had ended, and is removed. */
export const removeSending = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const row = await db
    .deleteFrom('dicom_sending')
    .where('id', '=', id)
    .where('ended_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};
