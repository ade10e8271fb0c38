import type { Kysely } from 'kysely';
import type { Context } from 'oidc-provider';
import type { Schema } from '../db/schema.ts';
import { accountById } from '../db/stores/account-store.ts';
import type { IdentityLog } from './identity-log.ts';

/** Signing out is the revocation of the refresh token (RFC 7009): it goes into the log when it ended something. */
export const noteSignOut =
  (db: Kysely<Schema>, log: IdentityLog) =>
  async (ctx: Context, next: () => Promise<void>): Promise<void> => {
    await next();
    if (ctx.oidc?.route !== 'revocation') return;
    // oidc-client-ts takes an empty reply for a fault when it says that it is text.
    if (ctx.body === '') ctx.remove('content-type');
    const { RefreshToken: token } = ctx.oidc.entities;
    if (!token || token.clientId !== ctx.oidc.client.clientId) return;
    await log.note({ action: 'sign-out', account: (await accountById(db, token.accountId)) ?? null });
  };
