import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

export interface AttemptLimits {
  /** Attempts without a delay. */
  readonly free: number;
  /** The delays start at 1 s and double up to this. */
  readonly maxWaitSeconds: number;
  /** PostgreSQL interval without attempts after which the counter is reset. */
  readonly forgottenAfter: string;
}

/** Counts an attempt. Returns the failures of the key including this attempt; undefined while the key is blocked. */
export const countAttempt = async (
  db: Kysely<Schema>,
  key: string,
  { free, maxWaitSeconds, forgottenAfter }: AttemptLimits,
): Promise<number | undefined> => {
  const { rows } = await sql<{ failures: number }>`
      insert into sign_in_attempt as a (key, failures, blocked_until) values (${key}, 1, now())
      on conflict (key) do update set
        failures = case when a.last_at < now() - ${forgottenAfter}::interval then 1 else a.failures + 1 end,
        blocked_until = now() + make_interval(secs => case
          when a.last_at < now() - ${forgottenAfter}::interval or a.failures + 1 < ${free}::int then 0
          else least(${maxWaitSeconds}::int, power(2, least(a.failures + 1 - ${free}::int, 10))) end),
        last_at = now()
      where a.blocked_until <= clock_timestamp()
      returning failures`.execute(db);
  return rows[0]?.failures;
};

export const forgetAttempts = async (db: Kysely<Schema>, key: string): Promise<void> => {
  await db.deleteFrom('sign_in_attempt').where('key', '=', key).execute();
};

/** Takes back one attempt. `counted`: its number; a delay caused by another attempt in the meantime stays. */
export const undoAttempt = async (db: Kysely<Schema>, key: string, counted: number): Promise<void> => {
  await db
    .updateTable('sign_in_attempt')
    .set((row) => ({
      failures: row('failures', '-', 1),
      blocked_until: sql<Date>`case when failures = ${counted}::int then now() else blocked_until end`,
    }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute();
};

/** Returns which of these keys are blocked. */
export const blockedKeys = async (db: Kysely<Schema>, keys: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('sign_in_attempt')
    .select('key')
    .where(sql<boolean>`key = any(${[...keys]}::text[])`)
    .where('blocked_until', '>', sql<Date>`now()`)
    .execute();
  return new Set(rows.map(({ key }) => key));
};
