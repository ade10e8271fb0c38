import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import { type Context, errors } from 'oidc-provider';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { rotate } from '../db/stores/refresh-tokens.ts';
import type { Vault } from '../db/vault.ts';
import type { IdentityLog } from './identity-log.ts';
import { sendTokens } from './issue-tokens.ts';

export interface RefreshGrantOptions {
  readonly db: Kysely<Schema>;
  readonly vault: Vault;
  readonly log: IdentityLog;
  /** Secret of the installation, the same on every node. */
  readonly successionKey: string;
  readonly addressOf: (request: Context['req']) => string;
}

/** 20 or more base64url characters, or a UUID. */
const attemptSecret = /^[\w-]{20,128}$/;

const attemptOf = (given: string | undefined): string | null => {
  if (given === undefined || given === '') return null;
  if (!attemptSecret.test(given)) throw new errors.InvalidRequest(`${openid.attemptParameter} is not a secret`);
  return given;
};

/**
 * Implements grant_type=refresh_token (RFC 6749 section 6). Each use issues a new refresh token and revokes the old one; a reused token means that it
 * or its successor was stolen, so the session ends (RFC 9700 section 4.14.2).
 * A lost reply looks like reuse. A client may therefore choose a secret before its first try, store it with the token and send it with each retry
 * (`attempt`): the same token with the same secret returns the same successor until that is used.
 * - An attacker with only an old token (from a log, backup or proxy) lacks the secret: the session ends.
 * - An attacker with token and secret has the workstation's storage and could renew anyway. Both then hold the same successor, so the later one
 * presents a used token with another secret and the session ends.
 * - A retry does not fork the chain of tokens, not even with concurrent requests.
 * - There is no time limit: a workstation that slept overnight after a lost reply stays signed in, and a limit would not stop an attacker.
 * - Neither successor nor secret is stored in plain text: the successor is derived from the old token, the secret and a key of the installation, so
 * neither the table nor the client alone can compute it.
 */
export const refreshGrant =
  (provider: Provider, { db, vault, log, successionKey, addressOf }: RefreshGrantOptions) =>
  async (ctx: Context): Promise<void> => {
    const { refresh_token: token = '', scope: requestedScope = '' } = ctx.oidc.params;
    const { clientId } = ctx.oidc.client;
    if (token === '') throw new errors.InvalidRequest(`missing required parameter 'refresh_token'`);
    const attempt = attemptOf(ctx.oidc.params[openid.attemptParameter]);
    const successor =
      attempt === null
        ? randomBytes(32).toString('base64url')
        : createHmac('sha256', successionKey)
            .update(JSON.stringify([token, attempt]))
            .digest('base64url');
    // Allowed in the request, but without effect: the session already persists.
    const scope = requestedScope.split(' ').filter((word) => word !== '' && word !== 'offline_access');
    const rotated = await rotate(db, vault, { token, attempt, successor, clientId, scope });
    if (rotated.outcome === 'wider') throw new errors.InvalidScope('more than the session has');
    if (rotated.outcome === 'reused')
      await log.note({
        action: 'sign-in.refused',
        method: 'session',
        account: rotated.account,
        detail: 'sign-in-not-verified',
        address: addressOf(ctx.req),
      });
    if (rotated.outcome === 'over' && rotated.reason) {
      ctx.status = 400;
      ctx.body = { error: 'invalid_grant', error_description: rotated.reason };
      return;
    }
    if (rotated.outcome !== 'rotated') throw new errors.InvalidGrant(`refresh token: ${rotated.outcome}`);
    const { account, session } = rotated;
    const { grantId, authTime, amr } = session;
    await sendTokens(provider, ctx, {
      account,
      grantId,
      authTime,
      amr,
      gty: 'refresh_token',
      refreshToken: successor,
      scope: scope.length === 0 ? session.scope : scope.join(' '),
    });
  };
