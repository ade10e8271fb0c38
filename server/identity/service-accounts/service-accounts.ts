import type { Kysely } from 'kysely';
import Provider, { type Client, type Context } from 'oidc-provider';
import type { Schema } from '../../db/schema.ts';
import type { SignInListener } from '../../domain/sign-in-failure.ts';
import { signInAttempts } from '../attempts.ts';
import type { IdentityLog } from '../identity-log.ts';
import { serviceGrantType } from './service-client.ts';
import { serviceGrant } from './service-grant.ts';
import { serviceSecretsOf } from './service-secret.ts';

interface ServiceAccountOptions {
  readonly db: Kysely<Schema>;
  readonly log: IdentityLog;
  readonly signIns: SignInListener;
  readonly addressOf: (request: Context['req']) => string;
}

/** Adds the grant of service accounts to the provider. Their secrets are compared here, because only hashes are stored. */
export const addServiceAccounts = (
  provider: Provider,
  { db, log, signIns, addressOf }: ServiceAccountOptions,
): void => {
  const secrets = serviceSecretsOf({ db, attempts: signInAttempts(db, signIns), log, addressOf });
  const { prototype } = provider.Client;
  const compare = prototype.compareClientSecret;
  prototype.compareClientSecret = async function (this: Client, secret: string) {
    if (!this.grantTypeAllowed(serviceGrantType)) return compare.call(this, secret);
    const { ctx } = Provider;
    return ctx !== undefined && secrets.accepts(ctx, this.clientId, secret);
  };
  provider.use(secrets.noteUnknown);
  provider.registerGrantType(serviceGrantType, serviceGrant(provider, db), ['scope']);
};
