import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import { type Context, errors } from 'oidc-provider';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { rotate } from '../db/stores/refresh-tokens.ts';
import type { IdentityLog } from './identity-log.ts';
import { sendTokens } from './issue-tokens.ts';

export interface RefreshGrantOptions {
  readonly db: Kysely<Schema>;
  readonly log: IdentityLog;
  /** Of the installation, the same on every node. */
  readonly successionKey: string;
}

/** 20 characters and more of base64url, or a UUID: nobody guesses it. */
const attemptSecret = /^[\w-]{20,128}$/;

const attemptOf = (given: string | undefined): string | null => {
  if (given === undefined || given === '') return null;
  if (!attemptSecret.test(given)) throw new errors.InvalidRequest(`${openid.attemptParameter} is not a secret`);
  return given;
};

/**
 * grant_type=refresh_token (RFC 6749 section 6). Each use gives a new refresh token and voids the old one; an old one that comes again was
 * stolen, or its successor was, and the session ends (RFC 9700 section 4.14.2).
 *
 * A reply that is lost on the line looks the same. So a client may choose a secret before it first tries, keep it beside the token, and send it
 * with each repetition (`attempt`): the same token with the same secret gets the same successor again, until somebody has used that.
 *
 * - Who holds only an old token (a log, a backup, a proxy) does not know the secret: the session ends, as ever.
 * - Who holds token and secret holds the workstation's store, and could as well renew by themselves. They get the very token that the rightful
 *   client has, so of the two the one who renews later comes with a used token and another secret, and the session ends for both.
 * - A repetition does not branch: there is one line of tokens, however often it is asked for, also by two calls at the same moment.
 * - No time limit: a workstation that slept for a night with its reply lost wakes up signed in, and a limit would not hinder a thief.
 * - Neither successor nor secret is stored in the open: the successor is worked out again from the old token, the secret and a key of the
 *   installation, so neither the table alone nor the client alone can foretell it.
 */
export const refreshGrant =
  (provider: Provider, { db, log, successionKey }: RefreshGrantOptions) =>
  async (ctx: Context): Promise<void> => {
    const { refresh_token: token = '', scope: asked = '' } = ctx.oidc.params;
    const { clientId } = ctx.oidc.client;
    if (token === '') throw new errors.InvalidRequest(`missing required parameter 'refresh_token'`);
    const attempt = attemptOf(ctx.oidc.params[openid.attemptParameter]);
    const successor =
      attempt === null
        ? randomBytes(32).toString('base64url')
        : createHmac('sha256', successionKey)
            .update(JSON.stringify([token, attempt]))
            .digest('base64url');
    // May be asked for, and means nothing here: the session lasts already.
    const scope = asked.split(' ').filter((word) => word !== '' && word !== 'offline_access');
    const rotated = await rotate(db, { token, attempt, successor, clientId, scope });
    if (rotated.outcome === 'wider') throw new errors.InvalidScope('more than the session has');
    if (rotated.outcome === 'reused')
      await log.note({ action: 'sign-in.refused', account: rotated.account, detail: 'sign-in-not-verified' });
    if (rotated.outcome !== 'rotated') throw new errors.InvalidGrant(`refresh token: ${rotated.outcome}`);
    const { account, session } = rotated;
    const { grantId, authTime, amr } = session;
    await sendTokens(provider, ctx, {
      ...{ account, grantId, authTime, amr, gty: 'refresh_token', refreshToken: successor },
      scope: scope.length === 0 ? session.scope : scope.join(' '),
    });
  };
