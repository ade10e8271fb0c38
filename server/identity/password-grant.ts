import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { Context } from 'oidc-provider';
import type { ProblemCode } from '../../contract/problem.ts';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { type Account, accountByEmail } from '../db/stores/account-store.ts';
import type { Attempts } from './attempts.ts';
import { oidcAccount, userInfoOf } from './oidc-accounts.ts';
import { verifyPassword } from './password.ts';
import { resourceServer } from './resource-server.ts';

interface PasswordGrantOptions {
  readonly db: Kysely<Schema>;
  readonly attempts: Attempts;
  readonly addressOf: (request: Context['req']) => string;
}

/** RFC 6749 section 5.2; the description is a problem code, so the browser can say which it was. */
const refuse = (ctx: Context, status: 400 | 429, code: ProblemCode): void => {
  ctx.status = status;
  ctx.body = { error: 'invalid_grant', error_description: code };
};

const issue = async (provider: Provider, ctx: Context, account: Account, scope: string): Promise<void> => {
  const { client } = ctx.oidc;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.id });
  grant.addOIDCScope(scope);
  grant.addResourceScope(openid.audience, scope);
  const grantId = await grant.save();
  ctx.oidc.entity('Account', oidcAccount(account));
  ctx.oidc.entity('Grant', grant);
  const authTime = Math.floor(Date.now() / 1000);
  const fields = { client, accountId: account.id, grantId, gty: 'password', scope, authTime };
  const accessToken = new provider.AccessToken(fields);
  accessToken.resourceServer = new provider.ResourceServer(openid.audience, resourceServer);
  ctx.oidc.entity('AccessToken', accessToken);
  const refreshToken = new provider.RefreshToken({ ...fields, resource: openid.audience, rotations: 0 });
  const idToken = new provider.IdToken({ ...userInfoOf(account), auth_time: authTime, amr: ['pwd'] }, { ctx });
  idToken.scope = scope;
  ctx.body = {
    access_token: await accessToken.save(),
    expires_in: accessToken.expiration,
    token_type: accessToken.tokenType,
    scope,
    ...(scope.split(' ').includes('offline_access') ? { refresh_token: await refreshToken.save() } : {}),
    ...(scope.split(' ').includes('openid') ? { id_token: await idToken.issue({ use: 'idtoken' }) } : {}),
  };
};

/** grant_type=password: e-mail and password for tokens (RFC 6749 section 4.3), for this archive's own client. */
export const passwordGrant =
  (provider: Provider, { db, attempts, addressOf }: PasswordGrantOptions) =>
  async (ctx: Context): Promise<void> => {
    const { username = '', password = '', scope = openid.scope } = ctx.oidc.params;
    const address = addressOf(ctx.req);
    if (!(await attempts.begin(username, address))) return refuse(ctx, 429, 'too-many-requests');
    const account = await accountByEmail(db, username);
    if (!(await verifyPassword(password, account?.passwordHash)) || !account)
      return refuse(ctx, 400, 'incorrect-login');
    await attempts.succeeded(username, address);
    if (!account.isActive) return refuse(ctx, 400, 'account-inactive');
    const offered = openid.scope.split(' ');
    const asked = scope.split(' ').filter((name) => offered.includes(name));
    await issue(provider, ctx, account, asked.join(' '));
  };
