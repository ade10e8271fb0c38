import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { Context } from 'oidc-provider';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { stampGrant } from '../db/stores/sessions.ts';
import { oidcAccount, userInfoOf } from './oidc-accounts.ts';
import { resourceServer } from './resource-server.ts';

interface Issue {
  readonly db: Kysely<Schema>;
  /** As it was read when the person proved who they are: a stamp that changed since makes the tokens void. */
  readonly account: Account;
  /** Words of `openid.scope`. */
  readonly scope: string;
  /** Authentication methods references (RFC 8176). */
  readonly amr: readonly string[];
}

interface Session extends Omit<Issue, 'db'> {
  readonly grantId: string;
  /** In seconds: when the person proved who they are. */
  readonly authTime: number;
  readonly gty: string;
  /** Null: none is given. */
  readonly refreshToken: string | null;
}

/** Access token and id token of a session: the token reply goes into `ctx.body`. */
export const sendTokens = async (provider: Provider, ctx: Context, session: Session): Promise<void> => {
  const { account, grantId, scope, authTime, gty, refreshToken } = session;
  const amr = [...session.amr];
  ctx.oidc.entity('Account', oidcAccount(account));
  const fields = { client: ctx.oidc.client, accountId: account.id, grantId, gty, scope, authTime, amr };
  const accessToken = new provider.AccessToken(fields);
  accessToken.resourceServer = new provider.ResourceServer(openid.audience, resourceServer);
  ctx.oidc.entity('AccessToken', accessToken);
  const idToken = new provider.IdToken({ ...userInfoOf(account), auth_time: authTime, amr }, { ctx });
  idToken.scope = scope;
  ctx.body = {
    access_token: await accessToken.save(),
    expires_in: accessToken.expiration,
    token_type: accessToken.tokenType,
    scope,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    ...(scope.split(' ').includes('openid') ? { id_token: await idToken.issue({ use: 'idtoken' }) } : {}),
  };
};

/** A new session for somebody who proved who they are by the password grant: the token reply goes into `ctx.body`. */
export const issueTokens = async (provider: Provider, ctx: Context, issue: Issue): Promise<void> => {
  const { db, account, scope } = issue;
  const { client } = ctx.oidc;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.id });
  grant.addOIDCScope(scope);
  grant.addResourceScope(openid.audience, scope);
  const grantId = await grant.save();
  await stampGrant(db, grantId, account.securityStamp);
  ctx.oidc.entity('Grant', grant);
  const authTime = Math.floor(Date.now() / 1000);
  const session = { account, grantId, gty: 'password', scope, authTime, amr: [...issue.amr] };
  const isLasting = scope.split(' ').includes('offline_access');
  const fields = { ...session, client, accountId: account.id, resource: openid.audience, rotations: 0 };
  const refreshToken = isLasting ? await new provider.RefreshToken(fields).save() : null;
  await sendTokens(provider, ctx, { ...session, refreshToken });
};
