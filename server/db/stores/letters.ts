import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

export interface Wish {
  readonly kind: string;
  readonly email: string;
  readonly language: string;
  /** Address of the page that the letter leads to. */
  readonly page: string;
}

export interface WaitingLetter extends Wish {
  readonly id: string;
  readonly askedAt: Date;
  /** This one included. */
  readonly tries: number;
}

const seconds = (count: number) => sql<Date>`now() + make_interval(secs => ${count}::float8)`;

/** One row, whoever is asked for: the work does not tell whether there is such an account. `heldSeconds`: the caller sends it. */
export const askForLetter = async (db: Kysely<Schema>, wish: Wish, heldSeconds = 0): Promise<string> => {
  const id = randomUUID();
  const email = wish.email.trim().toLowerCase();
  await db
    .insertInto('letter')
    .values({ id, ...wish, email, try_at: seconds(heldSeconds) })
    .execute();
  return id;
};

/** Takes one that is due (or the one of that id), for so long that nobody else sends it meanwhile. */
export const takeLetter = async (
  db: Kysely<Schema>,
  heldSeconds: number,
  id?: string,
): Promise<WaitingLetter | undefined> => {
  const waiting = db.selectFrom('letter').select('id').where('sent_at', 'is', null).forUpdate().skipLocked();
  const chosen =
    id === undefined
      ? waiting.where('try_at', '<=', sql<Date>`now()`).orderBy('try_at').limit(1)
      : waiting.where('id', '=', id);
  const row = await db
    .updateTable('letter')
    .set((letter) => ({ try_at: seconds(heldSeconds), tries: letter('tries', '+', 1) }))
    .where('id', 'in', chosen)
    .returning(['id', 'kind', 'email', 'language', 'page', 'asked_at', 'tries'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { asked_at: askedAt, email, ...rest } = row;
  return { ...rest, email: email ?? '', askedAt };
};

/** Another one of the kind to the same person was asked for after it; it may be out already. */
export const isOvertaken = async (db: Kysely<Schema>, letter: WaitingLetter, accountId: string): Promise<boolean> => {
  const later = await db
    .selectFrom('letter')
    .select('id')
    .where('kind', '=', letter.kind)
    .where((row) => row.or([row('email', '=', letter.email), row('account_id', '=', accountId)]))
    // In SQL: a moment is finer there than here.
    .where(sql<boolean>`(asked_at, id) > (select own.asked_at, own.id from letter own where own.id = ${letter.id})`)
    .executeTakeFirst();
  return later !== undefined;
};

export const lettersSentTo = async (
  db: Kysely<Schema>,
  kind: string,
  accountId: string,
  since: Date,
): Promise<number> => {
  const { sent } = await db
    .selectFrom('letter')
    .select((row) => row.fn.countAll<number>().as('sent'))
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where('sent_at', '>', since)
    .executeTakeFirstOrThrow();
  return sent;
};

/** It is out: whom it went to stays for a day, so that letters can be counted. */
export const letterWasSent = async (db: Kysely<Schema>, id: string, accountId: string): Promise<void> => {
  await db
    .updateTable('letter')
    .set({ sent_at: new Date(), email: null, account_id: accountId })
    .where('id', '=', id)
    .execute();
  await db.deleteFrom('letter').where('sent_at', '<', sql<Date>`now() - interval '1 day'`).execute();
};

export const tryLetterLater = async (db: Kysely<Schema>, id: string, inSeconds: number): Promise<void> => {
  await db
    .updateTable('letter')
    .set({ try_at: seconds(inSeconds) })
    .where('id', '=', id)
    .execute();
};

export const forgetLetter = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db.deleteFrom('letter').where('id', '=', id).execute();
};
