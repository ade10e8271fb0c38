import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';

/**
 * The order of an owner (the uid of an interaction, or a locked session), in `pending_sign_in`, so that any node can poll BankID. All times are the database's, so that the animated code
 * is right on every node without synchronized clocks.
 */

const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
const inSeconds = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::float8)`;

/** BankID keeps a started order for 3 minutes, and its result for 5. */
const orderSeconds = 480;
/** Pause between polls of one order (BankID requires two seconds); browsers request the next code every second. */
const pauseMs = 1_500;
/** How long a node that died while polling is waited for. */
const leaseMs = 7_000;

const waiting = z.object({
  orderRef: z.string(),
  qrStartToken: z.string(),
  qrStartSecret: z.string(),
  hint: z.string(),
  /** Consecutive polls without a reply from BankID. */
  misses: z.number().int(),
});
export type WaitingOrder = z.infer<typeof waiting>;

const settled = z.union([
  waiting,
  /** Complete at BankID; one call is signing the user in. */
  z.object({ completing: z.string() }),
  /** The result, for a browser that did not receive the reply. */
  z.object({ outcome: z.unknown() }),
]);

export interface FoundOrder {
  readonly order: z.infer<typeof settled>;
  readonly ageMs: number;
  /** Only this call polls BankID now. */
  readonly canPoll: boolean;
}

const keyOf = (owner: string): string => `bankid:${owner}`;

/** Stores an order, replacing an earlier one. Returns the reference of that one, for cancelling it. */
export const placeOrder = (db: Kysely<Schema>, owner: string, order: WaitingOrder): Promise<string | null> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${keyOf(owner)}, 0))`.execute(transaction);
    const earlier = await transaction
      .selectFrom('pending_sign_in')
      .select(sql<string | null>`payload ->> 'orderRef'`.as('ref'))
      .where('key', '=', keyOf(owner))
      .executeTakeFirst();
    const payload = sql<string>`${JSON.stringify(order)}::jsonb || jsonb_build_object('startedAt', ${now}, 'nextAt', ${now} + ${pauseMs}::bigint)`;
    const row = { payload, expires_at: inSeconds(orderSeconds) };
    await transaction
      .insertInto('pending_sign_in')
      .values({ key: keyOf(owner), ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
    return earlier?.ref ?? null;
  });

/** Reads the order, and claims the right to poll unless another call polls or just did. */
export const findOrder = async (db: Kysely<Schema>, owner: string): Promise<FoundOrder | null> => {
  const columns = sql`payload, ${now} - coalesce((payload ->> 'startedAt')::bigint, ${now}) as age`;
  type Row = { payload: unknown; age: number };
  const taken = await sql<Row>`
    update pending_sign_in set payload = payload || jsonb_build_object('nextAt', ${now} + ${leaseMs}::bigint)
    where key = ${keyOf(owner)} and expires_at > clock_timestamp() and (payload ->> 'nextAt')::bigint <= ${now}
    returning ${columns}`.execute(db);
  const [row] =
    taken.rows.length > 0
      ? taken.rows
      : (
          await sql<Row>`select ${columns} from pending_sign_in
            where key = ${keyOf(owner)} and expires_at > clock_timestamp()`.execute(db)
        ).rows;
  return row ? { order: settled.parse(row.payload), ageMs: row.age, canPoll: taken.rows.length > 0 } : null;
};

const change = async (db: Kysely<Schema>, owner: string, orderRef: string, set: ReturnType<typeof sql>) => {
  const result = await sql`update pending_sign_in set ${set}
    where key = ${keyOf(owner)} and payload ->> 'orderRef' = ${orderRef}`.execute(db);
  return (result.numAffectedRows ?? 0n) > 0n;
};

/** Stores the result of a poll; the next may follow after a pause. */
export const saveOrder = (
  db: Kysely<Schema>,
  owner: string,
  orderRef: string,
  update: Pick<WaitingOrder, 'hint' | 'misses'>,
): Promise<boolean> =>
  change(
    db,
    owner,
    orderRef,
    sql`payload = payload || ${JSON.stringify(update)}::jsonb || jsonb_build_object('nextAt', ${now} + ${pauseMs}::bigint)`,
  );

/** Marks the order as complete. True for one caller only, who signs the user in. */
export const claimOrder = (db: Kysely<Schema>, owner: string, orderRef: string): Promise<boolean> =>
  change(
    db,
    owner,
    orderRef,
    sql`payload = ${JSON.stringify({ completing: orderRef })}::jsonb, expires_at = ${inSeconds(20)}`,
  );

/** Stores the result for a minute, because the same browser may ask again. */
export const putOutcome = async (
  db: Kysely<Schema>,
  owner: string,
  orderRef: string,
  outcome: unknown,
): Promise<void> => {
  await sql`update pending_sign_in set payload = ${JSON.stringify({ outcome })}::jsonb, expires_at = ${inSeconds(60)}
    where key = ${keyOf(owner)} and payload ->> 'completing' = ${orderRef}`.execute(db);
};

/** Deletes a completed order. Returns its result; undefined when none is complete. */
export const takeOutcome = async (db: Kysely<Schema>, owner: string): Promise<unknown> => {
  const row = await db
    .deleteFrom('pending_sign_in')
    .where('key', '=', keyOf(owner))
    .where(sql<boolean>`payload ? 'outcome' and expires_at > clock_timestamp()`)
    .returning('payload')
    .executeTakeFirst();
  const order = row && settled.parse(row.payload);
  return order && 'outcome' in order ? order.outcome : undefined;
};

/** Deletes the order; with a reference only that one. Returns the reference of an order that was still pending. */
export const dropOrder = async (db: Kysely<Schema>, owner: string, orderRef?: string): Promise<string | null> => {
  const row = await db
    .deleteFrom('pending_sign_in')
    .where('key', '=', keyOf(owner))
    .$if(orderRef !== undefined, (query) =>
      query.where(sql<string>`coalesce(payload ->> 'orderRef', payload ->> 'completing')`, '=', orderRef ?? ''),
    )
    .returning(sql<string | null>`payload ->> 'orderRef'`.as('ref'))
    .executeTakeFirst();
  return row?.ref ?? null;
};
