import { type Kysely, type Selectable, sql } from 'kysely';
import type { DestructionKind, DestructionState } from '../../../contract/destruction.ts';
import type { DestructionOrderTable } from '../destruction-tables.ts';
import type { Schema } from '../schema.ts';
import { isListable, type ListReader } from './listable-patients.ts';
import { all } from './search-terms.ts';

export type DestructionOrderRow = Selectable<DestructionOrderTable>;

/** What an order names: its clinic, and its patient unless it is a clinic. */
export interface DestructionSubject {
  readonly customer_id: string;
  readonly patient_id: string | null;
}

/** Returns clinic and patient of a record, deleted or not. A clinic must be deleted, and is locked: it must not be restored meanwhile. */
export const destructionSubject = (
  db: Kysely<Schema>,
  kind: DestructionKind,
  id: string,
): Promise<DestructionSubject | undefined> => {
  const studies = db.selectFrom('study').select(['study.customer_id', 'study.patient_id']);
  switch (kind) {
    case 'patient':
      return db
        .selectFrom('patient')
        .select(['customer_id', 'id as patient_id'])
        .where('id', '=', id)
        .executeTakeFirst();
    case 'study':
      return studies.where('id', '=', id).executeTakeFirst();
    case 'image':
      return studies
        .innerJoin('series', 'series.study_id', 'study.id')
        .innerJoin('image', 'image.series_id', 'series.id')
        .where('image.id', '=', id)
        .executeTakeFirst();
    case 'clinic':
      return db
        .selectFrom('customer')
        .select(['id as customer_id', sql<null>`null`.as('patient_id')])
        .where('id', '=', id)
        .where('deleted_at', 'is not', null)
        .forUpdate()
        .executeTakeFirst();
    default:
      return kind satisfies never;
  }
};

/** Returns whether the retention of a patient has ended; without one, that of all patients of the clinic. */
export const hasRetentionEnded = async (
  db: Kysely<Schema>,
  { customer_id, patient_id }: DestructionSubject,
): Promise<boolean> => {
  const { rows } = await sql<{ ended: boolean }>`
    select retention_years is not null and not exists (
      select from patient where patient.customer_id = customer.id and (${patient_id}::uuid is null or patient.id = ${patient_id})
        and patient_last_entry(patient.id) >= now() - make_interval(years => retention_years)) as ended
    from customer where id = ${customer_id}`.execute(db);
  return rows[0]?.ended ?? false;
};

/** Returns whether the order was added; not while another one for the same record is open. */
export const addDestructionOrder = async (
  db: Kysely<Schema>,
  order: Pick<
    DestructionOrderRow,
    'id' | 'customer_id' | 'kind' | 'subject_id' | 'patient_id' | 'basis' | 'reference' | 'reason' | 'proposed_by'
  >,
): Promise<boolean> => {
  const added = await db
    .insertInto('destruction_order')
    .values({
      ...order,
      state: 'proposed',
      decided_by: null,
      decided_at: null,
      due_at: null,
      ended_by: null,
      ended_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
};

export const findDestructionOrder = (db: Kysely<Schema>, id: string): Promise<DestructionOrderRow | undefined> =>
  db.selectFrom('destruction_order').selectAll().where('id', '=', id).executeTakeFirst();

type OrderChange = Partial<Pick<DestructionOrderRow, 'decided_by' | 'decided_at' | 'due_at' | 'ended_by' | 'ended_at'>>;

/** Moves an order into a state from one of these. Returns whether it was in one of them. */
export const moveDestructionOrder = async (
  db: Kysely<Schema>,
  id: string,
  { from, to }: { readonly from: readonly DestructionState[]; readonly to: DestructionState },
  change: OrderChange = {},
): Promise<boolean> => {
  const moved = await db
    .updateTable('destruction_order')
    .set({ ...change, state: to })
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
};

const nameOf = (by: 'proposed_by' | 'decided_by' | 'ended_by') =>
  sql<
    string | null
  >`(select first_name || ' ' || last_name from account where account.id = ${sql.ref(`destruction_order.${by}`)})`;

interface OrdersRequest extends ListReader {
  readonly kinds: readonly DestructionKind[];
  readonly page: number;
  readonly ppage: number;
}

/** Returns the orders of a clinic with the names of accounts, and of what exists of their records, the newest first. */
export const destructionOrders = async (db: Kysely<Schema>, { page, ppage, kinds, ...reader }: OrdersRequest) => {
  const ofClinic = db
    .selectFrom('destruction_order')
    .where('destruction_order.customer_id', '=', reader.customerId)
    .where('destruction_order.kind', 'in', [...kinds])
    .where(all(isListable(sql`coalesce(destruction_order.patient_id, destruction_order.id)`, reader)));
  const { count } = await ofClinic.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const rows = await ofClinic
    .leftJoin('image', (join) =>
      join.onRef('image.id', '=', 'destruction_order.subject_id').on('destruction_order.kind', '=', 'image'),
    )
    .leftJoin('series', 'series.id', 'image.series_id')
    .leftJoin('study', (join) =>
      join.on(sql<boolean>`study.id = coalesce(series.study_id, destruction_order.subject_id)
        and destruction_order.kind in ('study', 'image')`),
    )
    .leftJoin('patient', 'patient.id', 'destruction_order.patient_id')
    .selectAll('destruction_order')
    .select([
      nameOf('proposed_by').as('proposer'),
      nameOf('decided_by').as('decider'),
      nameOf('ended_by').as('ender'),
      sql<string | null>`patient.first_name || ' ' || patient.last_name`.as('patient_name'),
      'patient.personal_number',
      'patient.has_protected_identity',
      'study.description as study_description',
      'study.study_date',
      'image.number as image_number',
    ])
    .orderBy('proposed_at', 'desc')
    .orderBy('destruction_order.id')
    .limit(ppage)
    .offset((page - 1) * ppage)
    .execute();
  return { rows, totalCount: Number(count) };
};
export type ListedOrderRow = Awaited<ReturnType<typeof destructionOrders>>['rows'][number];

/** Returns the ids of approved orders that can no longer be revoked. Records of a deleted clinic wait, as their orders cannot be revoked. */
export const dueDestructionOrders = async (db: Kysely<Schema>): Promise<string[]> => {
  const rows = await db
    .selectFrom('destruction_order')
    .innerJoin('customer', 'customer.id', 'destruction_order.customer_id')
    .select('destruction_order.id')
    .where('state', '=', 'approved')
    .where('due_at', '<=', sql<Date>`now()`)
    .where(sql<boolean>`(kind = 'clinic') = (customer.deleted_at is not null)`)
    .orderBy('due_at')
    .execute();
  return rows.map(({ id }) => id);
};

/** Returns the orders that are being carried out, the oldest first. */
export const begunDestructionOrders = (db: Kysely<Schema>): Promise<DestructionOrderRow[]> =>
  db.selectFrom('destruction_order').selectAll().where('state', '=', 'destroying').orderBy('due_at').execute();

/** Returns the patients of a clinic, deleted or not. */
export const patientsToDestroy = async (db: Kysely<Schema>, customerId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('patient')
    .select('id')
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};

/** Returns the files that an order has left to remove, the first hashes. */
export const filesToDestroy = async (
  db: Kysely<Schema>,
  orderId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('destruction_file')
    .select('sha256')
    .where('order_id', '=', orderId)
    .where('sha256', '>', after)
    .orderBy('sha256')
    .limit(limit)
    .execute();
  return rows.map(({ sha256 }) => sha256);
};

/** Strikes a file off the list of an order; `wasRemoved`: it is counted. */
export const strikeFile = (db: Kysely<Schema>, orderId: string, sha256: string, wasRemoved: boolean): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const struck = await transaction
      .deleteFrom('destruction_file')
      .where('order_id', '=', orderId)
      .where('sha256', '=', sha256)
      .returning('sha256')
      .executeTakeFirst();
    if (!struck || !wasRemoved) return;
    await transaction.deleteFrom('stored_file_fault').where('sha256', '=', sha256).execute();
    await transaction
      .updateTable('destruction_order')
      .set({ files: sql`files + 1` })
      .where('id', '=', orderId)
      .execute();
  });

/** Returns those of the hashes whose files are to be destroyed. */
export const awaitingDestruction = async (
  db: Kysely<Schema>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('destruction_file')
    .select('sha256')
    .where(sql<boolean>`sha256 = any(${[...hashes]}::text[])`)
    .execute();
  return new Set(rows.map(({ sha256 }) => sha256));
};
