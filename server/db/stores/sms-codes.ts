import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';
import { hashedName, hashedToken } from './token-hash.ts';

/*
 * Codes that were sent, and how many, in `pending_sign_in`. A code is kept as a salted hash: a million possibilities can be tried by whoever
 * reads the table, but not by whoever sees it by chance, and it is void after minutes.
 */

const kept = z.object({ salt: z.string(), hash: z.string(), accountId: z.uuid().nullable(), name: z.string() });

const codeKey = (uid: string): string => `sms:${uid}`;
const hashOf = (salt: string, code: string): string => hashedToken(`${salt}:${code}`);
const countKey = (kind: string, text: string): string => `sms-sent:${hashedName(kind, text)}`;

/**
 * Keeps the code of an interaction in place of an earlier one.
 * @param accountId null where no account is: nothing but the account tells the two apart
 * @param name that was typed, for the counts to be forgotten when the code is right
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
 * Counts the try, then looks at the code: a right one is taken away, so that it is good once.
 * Answers with the account that it was sent to; null for a used and an expired code, after too many tries, and where there is no account.
 */
export const takeCode = async (
  db: Kysely<Schema>,
  uid: string,
  code: string,
  mostTries: number,
): Promise<{ accountId: string; name: string; isRight: boolean } | null> => {
  const { rows } = await sql<{ payload: unknown }>`
    update pending_sign_in set payload = jsonb_set(payload, '{tries}', to_jsonb((payload ->> 'tries')::int + 1))
    where key = ${codeKey(uid)} and expires_at > now() and (payload ->> 'tries')::int < ${mostTries}::int
    returning payload`.execute(db);
  const row = kept.safeParse(rows[0]?.payload).data;
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
  /** Most codes in a period. */
  readonly most: number;
  readonly seconds: number;
  /** Seconds between two; 0: any number at once, where a statement that began earlier may well come later. */
  readonly apart: number;
}

const count = async (db: Kysely<Schema>, key: string, { most, seconds, apart }: Bound): Promise<boolean> => {
  const { rows } = await sql`
    insert into pending_sign_in as p (key, payload, expires_at)
    values (${key}, jsonb_build_object('count', 1, 'last', extract(epoch from now())), now() + make_interval(secs => ${seconds}::float8))
    on conflict (key) do update set
      payload = jsonb_build_object(
        'count', case when p.expires_at <= now() then 1 else (p.payload ->> 'count')::int + 1 end,
        'last', extract(epoch from now())),
      expires_at = case when p.expires_at <= now() then excluded.expires_at else p.expires_at end
    where p.expires_at <= now() or ((p.payload ->> 'count')::int < ${most}::int
      and (${apart}::float8 = 0 or (p.payload ->> 'last')::float8 <= extract(epoch from now()) - ${apart}::float8))
    returning key`.execute(db);
  return rows.length > 0;
};

const hour = 3_600;
/** An address may stand for a whole clinic. */
const perAddress: Bound = { most: 30, seconds: hour, apart: 0 };
const perHour: Bound = { most: 5, seconds: hour, apart: 60 };
const perDay: Bound = { most: 10, seconds: 24 * hour, apart: 0 };

/** Counts a code that somebody asks for, whether an account has that name or not. False: not now. */
export const countCode = async (db: Kysely<Schema>, name: string, address: string): Promise<boolean> => {
  const key = countKey('account', name);
  return (
    (await count(db, countKey('address', address), perAddress)) &&
    (await count(db, key, perHour)) &&
    (await count(db, `${key}:day`, perDay))
  );
};

/** Somebody used a code of this account: the next sign-ins are not counted against the earlier. @param name as `takeCode` gave it */
export const forgetCodes = async (db: Kysely<Schema>, name: string): Promise<void> => {
  await db
    .deleteFrom('pending_sign_in')
    .where('key', 'in', [name, `${name}:day`])
    .execute();
};
