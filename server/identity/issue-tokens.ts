import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { Context } from 'oidc-provider';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { noteSession, type SessionFacts, stampGrant } from '../db/stores/sessions.ts';
import { oidcAccount, userInfoOf } from './oidc-accounts.ts';
import { resourceServer } from './resource-server.ts';

interface Issue {
  readonly db: Kysely<Schema>;
  /** As read at authentication time: if its stamp changes, the tokens become invalid. */
  readonly account: Account;
  /** Space-separated scopes (`openid.scope`). */
  readonly scope: string;
  /** Authentication methods references (RFC 8176). */
  readonly amr: readonly string[];
  readonly facts: SessionFacts;
}

interface Session extends Omit<Issue, 'db' | 'facts'> {
  readonly grantId: string;
  /** Authentication time in seconds. */
  readonly authTime: number;
  readonly gty: string;
  /** Null: no refresh token is issued. */
  readonly refreshToken: string | null;
}

/** Writes the token response with access token and id token of a session to `ctx.body`. */
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

/** Starts a session after a password grant and writes the token response to `ctx.body`. */
export const issueTokens = async (provider: Provider, ctx: Context, issue: Issue): Promise<void> => {
  const { db, account, scope } = issue;
  const { client } = ctx.oidc;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.id });
  grant.addOIDCScope(scope);
  grant.addResourceScope(openid.audience, scope);
  const grantId = await grant.save();
  await stampGrant(db, grantId, account.securityStamp);
  await noteSession(db, grantId, issue.facts);
  ctx.oidc.entity('Grant', grant);
  const authTime = Math.floor(Date.now() / 1000);
  const session = { account, grantId, gty: 'password', scope, authTime, amr: [...issue.amr] };
  const isLasting = scope.split(' ').includes('offline_access');
  const fields = { ...session, client, accountId: account.id, resource: openid.audience, rotations: 0 };
  const refreshToken = isLasting ? await new provider.RefreshToken(fields).save() : null;
  await sendTokens(provider, ctx, { ...session, refreshToken });
};
