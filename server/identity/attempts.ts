import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { hashedName } from '../db/stores/token-hash.ts';
import { networkOf } from './network-of.ts';

/**
 * How many attempts are free, the longest wait after them (1 s, doubling), and when a key that rests starts anew. An address may stand for a
 * whole clinic behind one router, so it is given more. One-time codes are short (three of a million are right at any moment), so guessing
 * at them is remembered for a day.
 */
const rules = {
  account: { free: 5, longestWaitSeconds: 300, forgottenAfter: '15 minutes' },
  address: { free: 30, longestWaitSeconds: 300, forgottenAfter: '15 minutes' },
  code: { free: 5, longestWaitSeconds: 900, forgottenAfter: '24 hours' },
} as const;

type Kind = keyof typeof rules;

/** One attempt that was counted. */
export interface Attempt {
  /** It was no guess: takes its own count back, and nobody else's. */
  undo(): Promise<void>;
}

export interface Attempts {
  /** Counts an attempt before the password is looked at, so that parallel guesses count too. Null: not now. */
  begin(email: string, address: string): Promise<Attempt | null>;
  /** Somebody proved wholly who they are: forgets the failures of the account's name. */
  forget(email: string): Promise<void>;
  /** The same for one-time codes of an account, by its id. */
  beginCode(accountId: string): Promise<boolean>;
  forgetCodes(accountId: string): Promise<void>;
}

/** Guard against guessing of passwords and codes. Its table holds hashes only, and treats an unknown name like a known one. */
export const signInAttempts = (db: Kysely<Schema>): Attempts => {
  /** Failures of the key, this attempt among them; undefined while the key has to wait. */
  const count = async (kind: Kind, text: string): Promise<number | undefined> => {
    const { free, longestWaitSeconds, forgottenAfter } = rules[kind];
    const { rows } = await sql<{ failures: number }>`
      insert into sign_in_attempt as a (key, failures, blocked_until) values (${hashedName(kind, text)}, 1, now())
      on conflict (key) do update set
        failures = case when a.last_at < now() - ${forgottenAfter}::interval then 1 else a.failures + 1 end,
        blocked_until = now() + make_interval(secs => case
          when a.last_at < now() - ${forgottenAfter}::interval or a.failures + 1 < ${free}::int then 0
          else least(${longestWaitSeconds}::int, power(2, least(a.failures + 1 - ${free}::int, 10))) end),
        last_at = now()
      where a.blocked_until <= clock_timestamp()
      returning failures`.execute(db);
    return rows[0]?.failures;
  };

  const forget = async (kind: Kind, text: string): Promise<void> => {
    await db.deleteFrom('sign_in_attempt').where('key', '=', hashedName(kind, text)).execute();
  };

  /** A wait that another attempt earned meanwhile stays. */
  const undo = async (kind: Kind, text: string, counted: number): Promise<void> => {
    await db
      .updateTable('sign_in_attempt')
      .set((row) => ({
        failures: row('failures', '-', 1),
        blocked_until: sql<Date>`case when failures = ${counted}::int then now() else blocked_until end`,
      }))
      .where('key', '=', hashedName(kind, text))
      .where('failures', '>', 0)
      .execute();
  };

  return {
    begin: async (email, address) => {
      const network = networkOf(address);
      const ofAddress = await count('address', network);
      if (ofAddress === undefined) return null;
      const ofAccount = await count('account', email);
      if (ofAccount === undefined) return null;
      return {
        undo: async () => {
          await undo('account', email, ofAccount);
          await undo('address', network, ofAddress);
        },
      };
    },
    forget: (email) => forget('account', email),
    beginCode: async (accountId) => (await count('code', accountId)) !== undefined,
    forgetCodes: (accountId) => forget('code', accountId),
  };
};
