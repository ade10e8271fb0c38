import type { Kysely } from 'kysely';
import Provider, { type Client, type Context, errors } from 'oidc-provider';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { accountById } from '../db/stores/account-store.ts';
import { shownStamp, stampOfGrant } from '../db/stores/sessions.ts';
import type { PasswordCheck } from './check-password.ts';
import type { IdentityLog } from './identity-log.ts';
import { type Keys, signingAlgorithm } from './keys.ts';
import { accessClaimsOf, oidcAccount } from './oidc-accounts.ts';
import { oidcAdapter } from './oidc-adapter.ts';
import { passwordGrant } from './password-grant.ts';
import { accessTokenSeconds, resourceServer } from './resource-server.ts';
import type { SecondFactor } from './second-factor.ts';

export interface ProviderOptions {
  readonly db: Kysely<Schema>;
  readonly issuer: string;
  readonly keys: Keys;
  readonly passwords: PasswordCheck;
  readonly secondFactor: SecondFactor;
  readonly log: IdentityLog;
  readonly trustProxy: boolean;
  /** The caller's address, as the web server in front understands it. */
  readonly addressOf: (request: Context['req']) => string;
  readonly onError: (error: Error) => void;
}

const day = 86_400;
const scopes = openid.scope.split(' ');

/** After this long a person signs in again, however often the tokens were renewed. */
const familySeconds = 14 * day;

const client = {
  client_id: openid.clientId,
  token_endpoint_auth_method: 'none',
  application_type: 'web',
  grant_types: ['password', 'refresh_token'],
  response_types: [],
  redirect_uris: [],
  scope: openid.scope,
  id_token_signed_response_alg: signingAlgorithm,
};

interface Source {
  readonly accountId: string;
  readonly grantId: string;
}

/** A usable account, or nothing. The source is a code or a refresh token: void when the stamp is no longer that of its grant. */
const findAccount = (db: Kysely<Schema>) => async (_: Context, id: string, source?: Source) => {
  const account = await accountById(db, id);
  if (!account?.isActive) return undefined;
  const isVoid = source && (await stampOfGrant(db, source.grantId)) !== shownStamp(account.securityStamp);
  return isVoid ? undefined : oidcAccount(account);
};

/** The stamp is the grant's, not the account's of this moment: a token given while the stamp changes is void from its start. */
const accessClaims = async (db: Kysely<Schema>, { accountId, grantId }: Source) => {
  const account = await accountById(db, accountId);
  const stamp = await stampOfGrant(db, grantId);
  if (!account || !stamp) throw new errors.InvalidGrant('the session was ended');
  return accessClaimsOf(account, { grant: grantId, stamp });
};

/** A browser names its origin even when it calls home; pages of other origins get no tokens. */
const isOwnOrigin = (ctx: Context, origin: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === ctx.host;

/** The endpoints of the code flow are not offered, so discovery does not name them. */
const honestDiscovery = async (ctx: Context, next: () => Promise<void>): Promise<void> => {
  await next();
  if (ctx.oidc?.route !== 'discovery' || typeof ctx.body !== 'object' || ctx.body === null) return;
  const unavailable = ['authorization_endpoint', 'end_session_endpoint', 'pushed_authorization_request_endpoint'];
  ctx.body = Object.fromEntries(Object.entries(ctx.body).filter(([name]) => !unavailable.includes(name)));
};

/**
 * The OpenID provider: one public first-party client, password and refresh grants, refresh tokens that rotate
 * (a used one ends its family), access tokens as JWT.
 */
export const identityProvider = (options: ProviderOptions): Provider => {
  const { db, keys } = options;
  const provider = new Provider(options.issuer, {
    adapter: oidcAdapter(db),
    jwks: { keys: [keys.signing] },
    cookies: { keys: keys.cookies },
    clients: [client],
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
    scopes,
    claims: { profile: ['name'] },
    routes: {
      token: openid.tokenPath,
      userinfo: openid.userInfoPath,
      revocation: openid.revocationPath,
      jwks: '/.well-known/openid-configuration/jwks',
      authorization: '/connect/authorize',
      end_session: '/connect/endsession',
    },
    features: {
      devInteractions: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_: Context, caller: Client, token: { clientId: string }) => token.clientId === caller.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => openid.audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceServer,
      },
    },
    clientBasedCORS: isOwnOrigin,
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: accessTokenSeconds,
      IdToken: accessTokenSeconds,
      RefreshToken: familySeconds,
      Grant: familySeconds,
    },
    findAccount: findAccount(db),
    extraTokenClaims: (_: Context, token: { accountId: string; grantId: string }) => accessClaims(db, token),
  });
  provider.proxy = options.trustProxy;
  provider.on('server_error', (_, error) => options.onError(error));
  provider.use(honestDiscovery);
  provider.registerGrantType('password', passwordGrant(provider, options), ['username', 'password', 'code', 'scope']);
  return provider;
};
