import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { MailFailure } from '../../../contract/mail.ts';
import type { Schema } from '../schema.ts';
import { secondsFromNow } from '../seconds-from-now.ts';

export interface MailRequest {
  readonly kind: string;
  readonly email: string;
  readonly language: string;
  /** URL of the page that the e-mail links to. */
  readonly page: string;
}

export interface QueuedMail extends MailRequest {
  readonly id: string;
  readonly requestedAt: Date;
  /** Includes the current attempt. */
  readonly tries: number;
}

/**
 * Queues an e-mail. One insert for any address, so that timing does not reveal whether an account exists. `heldSeconds`: lease of a caller
 * that sends it itself.
 */
export const queueMail = async (db: Kysely<Schema>, request: MailRequest, heldSeconds = 0): Promise<string> => {
  const id = randomUUID();
  const email = request.email.trim().toLowerCase();
  await db
    .insertInto('letter')
    .values({ id, ...request, email, try_at: secondsFromNow(heldSeconds) })
    .execute();
  return id;
};

/** Claims an e-mail that is due (or the one with that id) for a time, so that no other node sends it. */
export const claimMail = async (
  db: Kysely<Schema>,
  heldSeconds: number,
  id?: string,
): Promise<QueuedMail | undefined> => {
  const waiting = db
    .selectFrom('letter')
    .select('id')
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .forUpdate()
    .skipLocked();
  const chosen =
    id === undefined
      ? waiting.where('try_at', '<=', sql<Date>`now()`).orderBy('try_at').limit(1)
      : waiting.where('id', '=', id);
  const row = await db
    .updateTable('letter')
    .set((letter) => ({ try_at: secondsFromNow(heldSeconds), tries: letter('tries', '+', 1) }))
    .where('id', 'in', chosen)
    .returning(['id', 'kind', 'email', 'language', 'page', 'asked_at', 'tries'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { asked_at: requestedAt, email, ...rest } = row;
  return { ...rest, email: email ?? '', requestedAt };
};

/** Returns whether a newer e-mail of the kind to the same account was requested. */
export const isSuperseded = async (db: Kysely<Schema>, letter: QueuedMail, accountId: string): Promise<boolean> => {
  const later = await db
    .selectFrom('letter')
    .select('id')
    .where('kind', '=', letter.kind)
    .where((row) => row.or([row('email', '=', letter.email), row('account_id', '=', accountId)]))
    // Compared in SQL, where timestamps have a higher resolution.
    .where(sql<boolean>`(asked_at, id) > (select own.asked_at, own.id from letter own where own.id = ${letter.id})`)
    .executeTakeFirst();
  return later !== undefined;
};

export const mailsSentTo = async (
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

/** Removes what was sent or given up more than a day ago. */
const purgeSettled = async (db: Kysely<Schema>): Promise<void> => {
  const aDayAgo = sql<Date>`now() - interval '1 day'`;
  await db
    .deleteFrom('letter')
    .where((row) => row.or([row('sent_at', '<', aDayAgo), row('failed_at', '<', aDayAgo)]))
    .execute();
};

/** Marks an e-mail as sent. The account is stored for a day, for rate limiting. */
export const markMailSent = async (db: Kysely<Schema>, id: string, accountId: string): Promise<void> => {
  await db
    .updateTable('letter')
    .set({ sent_at: new Date(), email: null, account_id: accountId })
    .where('id', '=', id)
    .execute();
  await purgeSettled(db);
};

/** Gives up an e-mail. Its failure is shown to administrators for a day. */
export const markMailFailed = async (db: Kysely<Schema>, id: string, failure: MailFailure): Promise<void> => {
  await db
    .updateTable('letter')
    .set({ failed_at: sql<Date>`now()`, try_at: sql<Date>`'infinity'`, email: null, failure })
    .where('id', '=', id)
    .execute();
  await purgeSettled(db);
};

export const retryMailLater = async (
  db: Kysely<Schema>,
  id: string,
  failure: MailFailure,
  inSeconds: number,
): Promise<void> => {
  await db
    .updateTable('letter')
    .set({ try_at: secondsFromNow(inSeconds), failure })
    .where('id', '=', id)
    .execute();
};

export const deleteMail = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db.deleteFrom('letter').where('id', '=', id).execute();
};

interface MailFailures {
  /** When the oldest of them was requested. */
  readonly since: Date;
  readonly waiting: number;
  readonly failed: number;
  /** Of the newest. */
  readonly reason: MailFailure;
}

/** Returns the messages that wait after a failure or were given up in the last 24 hours; undefined when there are none. */
export const mailFailures = async (db: Kysely<Schema>): Promise<MailFailures | undefined> => {
  const { since, waiting, failed, reason } = await db
    .selectFrom('letter')
    .select((row) => [
      row.fn.min('asked_at').as('since'),
      sql<number>`count(*) filter (where failed_at is null)`.as('waiting'),
      sql<number>`count(*) filter (where failed_at is not null)`.as('failed'),
      sql<MailFailure | null>`(array_agg(failure order by asked_at desc))[1]`.as('reason'),
    ])
    .where('failure', 'is not', null)
    .where('sent_at', 'is', null)
    .where((row) => row.or([row('failed_at', 'is', null), row('failed_at', '>', sql<Date>`now() - interval '1 day'`)]))
    .executeTakeFirstOrThrow();
  return reason === null ? undefined : { since, waiting, failed, reason };
};
