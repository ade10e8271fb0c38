import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { type Account, accountById } from './account-store.ts';
import { hashedToken } from './token-hash.ts';

/** A session is a grant with its tokens. The grant holds the account's security stamp at sign-in, and is void when the account's stamp differs. */

export interface EndOptions {
  /** `principal.grantId` of the session that continues. */
  readonly exceptGrant?: string | undefined;
}

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
const isOpenGrant = (hashedGrantId: string) => sql<boolean>`(oidc.type = 'Grant' and oidc.id = ${hashedGrantId}
  and oidc.expires_at > ${new Date()} and oidc.payload ->> 'stamp' = account.security_stamp::text)`;

/** Returns the account of a grant if it is active and its security stamp is still that of the grant. */
export const accountInSession = async (
  db: Kysely<Schema>,
  accountId: string,
  grantId: string,
): Promise<Account | undefined> => {
  const isOfGrant = sql<boolean>`exists (select from oidc where ${isOpenGrant(hashedToken(grantId))})`;
  const account = await accountById(db, accountId, isOfGrant);
  return account?.isActive ? account : undefined;
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

/** Ends all sessions of the account except `exceptGrant`: removes grants, refresh tokens and codes, and calls get 401. */
export const endSessions = async (
  db: Kysely<Schema>,
  accountId: string,
  { exceptGrant }: EndOptions = {},
): Promise<void> => {
  const all = db.deleteFrom('oidc').where('account_id', '=', accountId);
  const others =
    exceptGrant === undefined
      ? all
      : all.where(({ not }) => not(isOfGrant(exceptGrant))).where('id', '<>', hashedToken(exceptGrant));
  await others.execute();
};

/**
 * Sets a new security stamp, which ends all sessions of the account on every node, including those being created. Must run in the transaction
 * that changes the password, role, two-factor or activation. The session of `exceptGrant` continues.
 */
export const renewStamp = async (db: Kysely<Schema>, accountId: string, options: EndOptions = {}): Promise<void> => {
  const securityStamp = randomUUID();
  await db.updateTable('account').set({ security_stamp: securityStamp }).where('id', '=', accountId).execute();
  await endSessions(db, accountId, options);
  if (options.exceptGrant !== undefined) await stampGrant(db, options.exceptGrant, securityStamp);
};
