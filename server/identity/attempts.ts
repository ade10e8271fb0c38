import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

/**
 * How many attempts are free, and how long the next ones wait: 1 s, doubling up to 5 minutes. A key that rests for 15 minutes starts anew.
 * An address may stand for a whole clinic behind one router, so it is given more.
 */
const free = { account: 5, address: 30 };
const longestWaitSeconds = 300;
const forgottenAfter = '15 minutes';

export interface Attempts {
  /** Counts an attempt before the password is looked at, so that parallel guesses count too. False: not now. */
  begin(email: string, address: string): Promise<boolean>;
  /** The password was right: forgets the account's failures and this attempt of the address. */
  succeeded(email: string, address: string): Promise<void>;
}

type Kind = keyof typeof free;

const keyOf = (kind: Kind, text: string): string =>
  createHash('sha256').update(`${kind}:${text.trim().toLowerCase()}`).digest('base64url');

/** Guard against guessing of passwords. Its table holds hashes only, and treats an unknown name like a known one. */
export const signInAttempts = (db: Kysely<Schema>): Attempts => {
  const count = async (kind: Kind, text: string): Promise<boolean> => {
    const { rows } = await sql`
      insert into sign_in_attempt as a (key, failures, blocked_until) values (${keyOf(kind, text)}, 1, now())
      on conflict (key) do update set
        failures = case when a.last_at < now() - ${forgottenAfter}::interval then 1 else a.failures + 1 end,
        blocked_until = now() + make_interval(secs => case
          when a.last_at < now() - ${forgottenAfter}::interval or a.failures + 1 < ${free[kind]}::int then 0
          else least(${longestWaitSeconds}::int, power(2, least(a.failures + 1 - ${free[kind]}::int, 10))) end),
        last_at = now()
      where a.blocked_until <= now()
      returning key`.execute(db);
    return rows.length > 0;
  };
  return {
    begin: async (email, address) => (await count('address', address)) && (await count('account', email)),
    succeeded: async (email, address) => {
      await db.deleteFrom('sign_in_attempt').where('key', '=', keyOf('account', email)).execute();
      await db
        .updateTable('sign_in_attempt')
        .set((row) => ({ failures: row('failures', '-', 1) }))
        .where('key', '=', keyOf('address', address))
        .where('failures', '>', 0)
        .execute();
    },
  };
};
