import type { Kysely } from 'kysely';
import type { Context } from 'oidc-provider';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { accountById } from '../db/stores/account-store.ts';
import type { IdentityLog } from './identity-log.ts';

/**
 * Handles sign-out, the revocation of the refresh token (RFC 7009): logs it if a session ended and clears the browser's HTTP cache, which may be
 * older than `web/no-store.ts`. Browser storage stays: it holds drafts and preferences and is shared with other tabs.
 */
export const logSignOut =
  (db: Kysely<Schema>, log: IdentityLog) =>
  async (ctx: Context, next: () => Promise<void>): Promise<void> => {
    await next();
    if (ctx.oidc?.route !== 'revocation') return;
    // oidc-client-ts rejects an empty reply with a text content type.
    if (ctx.body === '') ctx.remove('content-type');
    if (ctx.oidc.client?.clientId === openid.clientId) ctx.set('clear-site-data', '"cache"');
    const { RefreshToken: token } = ctx.oidc.entities;
    if (!token || token.clientId !== ctx.oidc.client.clientId) return;
    await log.note({ action: 'sign-out', account: (await accountById(db, token.accountId)) ?? null });
  };
