import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';
import { hashedName, hashedToken } from './token-hash.ts';

/**
 * Sent codes and their counts, in `pending_sign_in`. A code is stored as a salted hash: it can be brute-forced from the table, but not read at
 * a glance, and it expires after minutes.
 */

const storedCode = z.object({ salt: z.string(), hash: z.string(), accountId: z.uuid().nullable(), name: z.string() });

const codeKey = (uid: string): string => `sms:${uid}`;
const hashOf = (salt: string, code: string): string => hashedToken(`${salt}:${code}`);
const countKey = (kind: string, text: string): string => `sms-sent:${hashedName(kind, text)}`;

/**
 * Stores the code of an interaction, replacing an earlier one.
 * @param accountId null when there is no account; otherwise both cases are equal
 * @param name the typed name, whose counts are reset when the code is right
 */
export const putCode = async (
  db: Kysely<Schema>,
  uid: string,
  {
    code,
    accountId,
    name,
    goodForSeconds,
  }: { code: string; accountId: string | null; name: string; goodForSeconds: number },
): Promise<void> => {
  const salt = randomBytes(16).toString('base64url');
  const payload = JSON.stringify({
    salt,
    hash: hashOf(salt, code),
    accountId,
    name: countKey('account', name),
    tries: 0,
  });
  const row = { payload, expires_at: sql<Date>`now() + make_interval(secs => ${goodForSeconds}::float8)` };
  await db
    .insertInto('pending_sign_in')
    .values({ key: codeKey(uid), ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
};

/**
 * Counts the attempt, then checks the code; a right one is removed, so that it is valid once. Returns the account it was sent to; null for a
 * used or expired code, after too many attempts, and without an account.
 */
export const takeCode = async (
  db: Kysely<Schema>,
  uid: string,
  code: string,
  maxTries: number,
): Promise<{ accountId: string; name: string; isRight: boolean } | null> => {
  const { rows } = await sql<{ payload: unknown }>`
    update pending_sign_in set payload = jsonb_set(payload, '{tries}', to_jsonb((payload ->> 'tries')::int + 1))
    where key = ${codeKey(uid)} and expires_at > now() and (payload ->> 'tries')::int < ${maxTries}::int
    returning payload`.execute(db);
  const row = storedCode.safeParse(rows[0]?.payload).data;
  if (!row) return null;
  const isRight = timingSafeEqual(Buffer.from(hashOf(row.salt, code)), Buffer.from(row.hash));
  const { accountId, name } = row;
  if (accountId === null) return null;
  if (!isRight) return { accountId, name, isRight };
  const taken = await db
    .deleteFrom('pending_sign_in')
    .where('key', '=', codeKey(uid))
    .where(sql<string>`payload ->> 'hash'`, '=', row.hash)
    .returning('key')
    .executeTakeFirst();
  return taken ? { accountId, name, isRight } : null;
};

interface Bound {
  /** Maximum number of codes in a period. */
  readonly max: number;
  readonly seconds: number;
  /** Seconds between two codes; 0: no minimum, so that statements may commit out of order. */
  readonly apart: number;
}

const count = async (db: Kysely<Schema>, key: string, { max, seconds, apart }: Bound): Promise<boolean> => {
  const { rows } = await sql`
    insert into pending_sign_in as p (key, payload, expires_at)
    values (${key}, jsonb_build_object('count', 1, 'last', extract(epoch from now())), now() + make_interval(secs => ${seconds}::float8))
    on conflict (key) do update set
      payload = jsonb_build_object(
        'count', case when p.expires_at <= now() then 1 else (p.payload ->> 'count')::int + 1 end,
        'last', extract(epoch from now())),
      expires_at = case when p.expires_at <= now() then excluded.expires_at else p.expires_at end
    where p.expires_at <= now() or ((p.payload ->> 'count')::int < ${max}::int
      and (${apart}::float8 = 0 or (p.payload ->> 'last')::float8 <= extract(epoch from now()) - ${apart}::float8))
    returning key`.execute(db);
  return rows.length > 0;
};

const hour = 3_600;
/** An address may be shared by a whole clinic. */
const perAddress: Bound = { max: 30, seconds: hour, apart: 0 };
const perHour: Bound = { max: 5, seconds: hour, apart: 60 };
const perDay: Bound = { max: 10, seconds: 24 * hour, apart: 0 };

/** Counts a requested code, whether the account exists or not. False: limit reached. */
export const countCode = async (db: Kysely<Schema>, name: string, address: string): Promise<boolean> => {
  const key = countKey('account', name);
  return (
    (await count(db, countKey('address', address), perAddress)) &&
    (await count(db, key, perHour)) &&
    (await count(db, `${key}:day`, perDay))
  );
};

/** Resets the counts after a code of this account was used. @param name as returned by `takeCode` */
export const forgetCodes = async (db: Kysely<Schema>, name: string): Promise<void> => {
  await db
    .deleteFrom('pending_sign_in')
    .where('key', 'in', [name, `${name}:day`])
    .execute();
};

/** The same for an account whose codes were refused or never used. @param email as typed */
export const forgetCodesOf = (db: Kysely<Schema>, email: string): Promise<void> =>
  forgetCodes(db, countKey('account', email));
