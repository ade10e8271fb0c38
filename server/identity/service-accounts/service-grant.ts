import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import { type Context, errors } from 'oidc-provider';
import { openid } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import { noteServiceUse } from '../../db/stores/service-accounts.ts';
import { resourceServer } from '../resource-server.ts';

/** Returns the requested scopes, or all of the account. @throws InvalidScope for one that the account does not have */
const grantedScope = (own: string, requested = ''): string => {
  const names = requested.split(' ').filter((name) => name !== '');
  if (names.length === 0) return own;
  if (!names.every((name) => own.split(' ').includes(name))) throw new errors.InvalidScope('more than the account has');
  return [...new Set(names)].join(' ');
};

/** Implements grant_type=client_credentials (RFC 6749 section 4.4). The provider has checked the secret before (`service-secret.ts`). */
export const serviceGrant =
  (provider: Provider, db: Kysely<Schema>) =>
  async (ctx: Context): Promise<void> => {
    const { client, params } = ctx.oidc;
    const scope = grantedScope(client.scope ?? '', params.scope);
    const token = new provider.ClientCredentials({ client, scope });
    token.resourceServer = new provider.ResourceServer(openid.audience, { ...resourceServer, scope });
    ctx.oidc.entity('ClientCredentials', token);
    await noteServiceUse(db, client.clientId);
    ctx.body = {
      access_token: await token.save(),
      expires_in: token.expiration,
      token_type: token.tokenType,
      scope,
    };
  };
