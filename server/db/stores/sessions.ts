import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type SessionEndReason, sessionEndReason, signInMethod } from '../../../contract/sign-in.ts';
import type { Schema } from '../schema.ts';
import { type Account, accounts, toAccount } from './account-store.ts';
import { hashedToken } from './token-hash.ts';

/** A session is a grant with its tokens. The grant holds the account's security stamp at sign-in, and is void when the account's stamp differs. */

export interface EndOptions {
  readonly reason: SessionEndReason;
  /** `principal.grantId` of the session that continues. */
  readonly exceptGrant?: string | undefined;
}

const sessionFacts = z.object({
  /** Null in sessions of versions before migration 051, which have no facts. */
  method: signInMethod.nullable().default(null),
  /** The method is two-factor authentication in itself. */
  isStrong: z.boolean().default(false),
  /** `User-Agent`. */
  device: z.string().default(''),
  address: z.string().default(''),
  startedAt: z.iso.datetime().nullable().default(null),
  /** To the minute. */
  usedAt: z.iso.datetime().nullable().default(null),
  lockedAt: z.iso.datetime().nullable().default(null),
  /** Attempts by PIN since the session was last unlocked. */
  pinAttempts: z.int().default(0),
});
export type SessionFacts = z.output<typeof sessionFacts>;

/** The facts of a session that starts now. */
export const newSession = (
  by: Pick<SessionFacts, 'method' | 'isStrong' | 'address'> & { readonly device: string | undefined },
): SessionFacts => {
  const now = new Date().toISOString();
  return {
    ...by,
    device: (by.device ?? '').slice(0, 300),
    startedAt: now,
    usedAt: now,
    lockedAt: null,
    pinAttempts: 0,
  };
};

/** Reads facts, also those of an older version. */
export const parseFacts = (stored: unknown): SessionFacts => sessionFacts.parse(stored ?? {});

/** Changes facts of a session. */
export const noteSession = async (db: Kysely<Schema>, grantId: string, facts: Partial<SessionFacts>): Promise<void> => {
  const added = JSON.stringify(facts);
  await db
    .updateTable('oidc')
    .set({
      payload: sql`payload || jsonb_build_object('session', coalesce(payload -> 'session', '{}') || ${added}::jsonb)`,
    })
    .where('type', '=', 'Grant')
    .where('id', '=', hashedToken(grantId))
    .execute();
};

/** Ties a new grant to the stamp under which it was issued, so that a change of the stamp in between voids it. */
export const stampGrant = async (db: Kysely<Schema>, grantId: string, securityStamp: string): Promise<void> => {
  const stamp = JSON.stringify({ stamp: securityStamp });
  await db
    .updateTable('oidc')
    .set({ payload: sql`payload || ${stamp}::jsonb` })
    .where('type', '=', 'Grant')
    .where('id', '=', hashedToken(grantId))
    .execute();
};

/** Whether a row of `oidc` is that grant and its session goes on, beside its row of `account`. */
const isOpenGrant = (
  hashedGrantId: string | RawBuilder<unknown>,
) => sql<boolean>`(oidc.type = 'Grant' and oidc.id = ${hashedGrantId}
  and oidc.expires_at > ${new Date()} and oidc.payload ->> 'stamp' = account.security_stamp::text)`;

export interface OpenSession {
  readonly account: Account;
  readonly facts: SessionFacts;
}

/** Returns the session of a grant if its account is active and the security stamp is still that of the grant. */
export const openSession = async (
  db: Kysely<Schema>,
  accountId: string,
  grantId: string,
): Promise<OpenSession | undefined> => {
  const row = await accounts(db)
    .innerJoin('oidc', (join) => join.on(isOpenGrant(hashedToken(grantId))))
    .select(sql<unknown>`oidc.payload -> 'session'`.as('facts'))
    .where('account.id', '=', accountId)
    .executeTakeFirst();
  return row?.is_active ? { account: toAccount(row), facts: parseFacts(row.facts) } : undefined;
};

/** Returns the account of a session, as in `openSession`. */
export const accountInSession = async (
  db: Kysely<Schema>,
  accountId: string,
  grantId: string,
): Promise<Account | undefined> => (await openSession(db, accountId, grantId))?.account;

/** Returns the sessions of an account, last used first. `id`: the hashed grant id. */
export const sessionsOfAccount = async (
  db: Kysely<Schema>,
  accountId: string,
): Promise<{ readonly id: string; readonly clientId: string; readonly facts: SessionFacts }[]> => {
  const rows = await db
    .selectFrom('oidc')
    .innerJoin('account', 'account.id', 'oidc.account_id')
    .select(['oidc.id', 'oidc.payload'])
    .where('account.id', '=', accountId)
    .where(sql<boolean>`${isOpenGrant(sql`oidc.id`)}`)
    .orderBy(sql`oidc.payload -> 'session' ->> 'usedAt'`, (order) => order.desc().nullsLast())
    .orderBy('oidc.id')
    .execute();
  return rows.map(({ id, payload }) => ({
    id,
    clientId: String(payload.clientId),
    facts: parseFacts(payload.session),
  }));
};

/** Returns whether the session of a hashed grant id continues, as in `accountInSession`. */
export const isSessionOpen = async (db: Kysely<Schema>, hashedGrantId: string): Promise<boolean> => {
  const open = await db
    .selectFrom('oidc')
    .innerJoin('account', 'account.id', 'oidc.account_id')
    .select('oidc.id')
    .where(isOpenGrant(hashedGrantId))
    .where('account.is_active', '=', true)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst();
  return open !== undefined;
};

/** Whether a row of `oidc` belongs to a grant. Versions before migration 048 wrote its id, which is hashed now. */
export const isOfGrant = (grantId: string) =>
  sql<boolean>`coalesce(oidc.grant_id in (${hashedToken(grantId)}, ${grantId}), false)`;

/** Ends one session: its grant and all its tokens. */
export const endGrant = async (db: Kysely<Schema>, grantId: string): Promise<void> => {
  await db
    .deleteFrom('oidc')
    .where((row) =>
      row.or([isOfGrant(grantId), row.and([row('type', '=', 'Grant'), row('id', '=', hashedToken(grantId))])]),
    )
    .execute();
};

/** Type of a refresh token of an ended session: it tells its user why. */
const endedToken = 'EndedRefreshToken';

/** Ends sessions: removes grants and codes, so that calls get 401, and leaves the reason in the refresh tokens. */
const endWhere = async (db: Kysely<Schema>, isMeant: RawBuilder<boolean>, reason: SessionEndReason): Promise<void> => {
  await db.deleteFrom('oidc').where('type', 'not in', ['RefreshToken', endedToken]).where(isMeant).execute();
  await db
    .updateTable('oidc')
    .set({ type: endedToken, grant_id: null, payload: JSON.stringify({ reason }) })
    .where('type', '=', 'RefreshToken')
    .where(isMeant)
    .execute();
};

/** Ends one session of an account, by its hashed grant id. */
export const endSession = (
  db: Kysely<Schema>,
  accountId: string,
  { id, reason }: { readonly id: string; readonly reason: SessionEndReason },
): Promise<void> =>
  endWhere(
    db,
    sql<boolean>`(oidc.account_id = ${accountId} and (oidc.id = ${id} or coalesce(oidc.grant_id = ${id}, false)))`,
    reason,
  );

/** Ends all sessions of the account except `exceptGrant`. */
export const endSessions = (
  db: Kysely<Schema>,
  accountId: string,
  { reason, exceptGrant }: EndOptions,
): Promise<void> => {
  const isOther =
    exceptGrant === undefined
      ? sql`true`
      : sql`not ${isOfGrant(exceptGrant)} and oidc.id <> ${hashedToken(exceptGrant)}`;
  return endWhere(db, sql<boolean>`(oidc.account_id = ${accountId} and ${isOther})`, reason);
};

/** Ends all sessions of all users of a role. */
export const endSessionsOfRoleHolders = (
  db: Kysely<Schema>,
  roleId: string,
  reason: SessionEndReason,
): Promise<void> => {
  const isHolder = sql<boolean>`oidc.account_id in (select id from account where role_id = ${roleId})`;
  return endWhere(db, isHolder, reason);
};

/** Returns why the session of a refresh token was ended; null when it was not, or by its user. */
export const endReasonOf = async (db: Kysely<Schema>, hashedRefreshToken: string): Promise<SessionEndReason | null> => {
  const row = await db
    .selectFrom('oidc')
    .select('payload')
    .where('type', '=', endedToken)
    .where('id', '=', hashedRefreshToken)
    .executeTakeFirst();
  return sessionEndReason.safeParse(row?.payload.reason).data ?? null;
};

/**
 * Sets a new security stamp, which ends all sessions of the account on every node, including those being created. Must run in the transaction
 * that changes the password, role, two-factor or activation. The session of `exceptGrant` continues.
 */
export const renewStamp = async (db: Kysely<Schema>, accountId: string, options: EndOptions): Promise<void> => {
  const securityStamp = randomUUID();
  await db.updateTable('account').set({ security_stamp: securityStamp }).where('id', '=', accountId).execute();
  await endSessions(db, accountId, options);
  if (options.exceptGrant !== undefined) await stampGrant(db, options.exceptGrant, securityStamp);
};
