import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';

/*
 * The order of an interaction, in `pending_sign_in`: any node may ask BankID about it. All times are the database's, so that the nodes'
 * clocks need not agree: the animated code is right to the second wherever it is drawn.
 */

const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
const inSeconds = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::float8)`;

/** BankID keeps a started order for 3 minutes, and what came of it for 5. */
const orderSeconds = 480;
/** Between two questions about one order (BankID: every two seconds); browsers ask every second for the next code. */
const pauseMs = 1_500;
/** A node that asks and dies is waited for this long. */
const leaseMs = 7_000;

const waiting = z.object({
  orderRef: z.string(),
  qrStartToken: z.string(),
  qrStartSecret: z.string(),
  hint: z.string(),
  /** Questions in a row that BankID did not answer. */
  misses: z.number().int(),
});
export type WaitingOrder = z.infer<typeof waiting>;

const settled = z.union([
  waiting,
  /** Complete at BankID; one call is signing the person in. */
  z.object({ completing: z.string() }),
  /** What came of it, for a browser that did not get the reply. */
  z.object({ outcome: z.unknown() }),
]);

export interface FoundOrder {
  readonly order: z.infer<typeof settled>;
  readonly ageMs: number;
  /** This call, and no other at this moment, asks BankID. */
  readonly mayAsk: boolean;
}

const keyOf = (uid: string): string => `bankid:${uid}`;

/** Puts an order in the place of an earlier one. Answers with the reference of that, for it to be cancelled. */
export const placeOrder = (db: Kysely<Schema>, uid: string, order: WaitingOrder): Promise<string | null> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${keyOf(uid)}, 0))`.execute(transaction);
    const earlier = await transaction
      .selectFrom('pending_sign_in')
      .select(sql<string | null>`payload ->> 'orderRef'`.as('ref'))
      .where('key', '=', keyOf(uid))
      .executeTakeFirst();
    const payload = sql<string>`${JSON.stringify(order)}::jsonb || jsonb_build_object('startedAt', ${now}, 'nextAt', ${now} + ${pauseMs}::bigint)`;
    const row = { payload, expires_at: inSeconds(orderSeconds) };
    await transaction
      .insertInto('pending_sign_in')
      .values({ key: keyOf(uid), ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
    return earlier?.ref ?? null;
  });

/** Reads the order, and takes the right to ask BankID about it when nobody asks or asked just now. */
export const findOrder = async (db: Kysely<Schema>, uid: string): Promise<FoundOrder | null> => {
  const columns = sql`payload, ${now} - coalesce((payload ->> 'startedAt')::bigint, ${now}) as age`;
  type Row = { payload: unknown; age: number };
  const taken = await sql<Row>`
    update pending_sign_in set payload = payload || jsonb_build_object('nextAt', ${now} + ${leaseMs}::bigint)
    where key = ${keyOf(uid)} and expires_at > clock_timestamp() and (payload ->> 'nextAt')::bigint <= ${now}
    returning ${columns}`.execute(db);
  const [row] =
    taken.rows.length > 0
      ? taken.rows
      : (
          await sql<Row>`select ${columns} from pending_sign_in
            where key = ${keyOf(uid)} and expires_at > clock_timestamp()`.execute(db)
        ).rows;
  return row ? { order: settled.parse(row.payload), ageMs: row.age, mayAsk: taken.rows.length > 0 } : null;
};

const change = async (db: Kysely<Schema>, uid: string, orderRef: string, set: ReturnType<typeof sql>) => {
  const result = await sql`update pending_sign_in set ${set}
    where key = ${keyOf(uid)} and payload ->> 'orderRef' = ${orderRef}`.execute(db);
  return (result.numAffectedRows ?? 0n) > 0n;
};

/** BankID has spoken, or not: the next question may be asked after a pause. */
export const keepOrder = (
  db: Kysely<Schema>,
  uid: string,
  orderRef: string,
  news: Pick<WaitingOrder, 'hint' | 'misses'>,
): Promise<boolean> =>
  change(
    db,
    uid,
    orderRef,
    sql`payload = payload || ${JSON.stringify(news)}::jsonb || jsonb_build_object('nextAt', ${now} + ${pauseMs}::bigint)`,
  );

/** The order is complete: true for one caller only, who signs the person in. */
export const winOrder = (db: Kysely<Schema>, uid: string, orderRef: string): Promise<boolean> =>
  change(
    db,
    uid,
    orderRef,
    sql`payload = ${JSON.stringify({ completing: orderRef })}::jsonb, expires_at = ${inSeconds(20)}`,
  );

/** Keeps what came of it for a minute: the same browser may ask again. */
export const putOutcome = async (
  db: Kysely<Schema>,
  uid: string,
  orderRef: string,
  outcome: unknown,
): Promise<void> => {
  await sql`update pending_sign_in set payload = ${JSON.stringify({ outcome })}::jsonb, expires_at = ${inSeconds(60)}
    where key = ${keyOf(uid)} and payload ->> 'completing' = ${orderRef}`.execute(db);
};

/** Forgets the order; of a named one only that. Answers with the reference of an order that still waited. */
export const dropOrder = async (db: Kysely<Schema>, uid: string, orderRef?: string): Promise<string | null> => {
  const row = await db
    .deleteFrom('pending_sign_in')
    .where('key', '=', keyOf(uid))
    .$if(orderRef !== undefined, (query) =>
      query.where(sql<string>`coalesce(payload ->> 'orderRef', payload ->> 'completing')`, '=', orderRef ?? ''),
    )
    .returning(sql<string | null>`payload ->> 'orderRef'`.as('ref'))
    .executeTakeFirst();
  return row?.ref ?? null;
};
