import type { Kysely } from 'kysely';
import Provider, { type Client, type Context, errors, type Grant, interactionPolicy } from 'oidc-provider';
import { serviceScopes } from '../../contract/service-scopes.ts';
import { openid } from '../../contract/sign-in.ts';
import { databaseProblemOf } from '../db/database-problem.ts';
import type { Schema } from '../db/schema.ts';
import { accountById } from '../db/stores/account-store.ts';
import { accountInSession, noteSession, parseFacts, stampGrant } from '../db/stores/sessions.ts';
import type { Vault } from '../db/vault.ts';
import type { SignInListener } from '../domain/sign-in-failure.ts';
import type { PasswordCheck } from './check-password.ts';
import { replyWithError } from './error-reply.ts';
import type { IdentityLog } from './identity-log.ts';
import { signingAlgorithm } from './key-generations.ts';
import type { KeyRing } from './keys.ts';
import { logSignOut } from './log-sign-out.ts';
import { noProviderSession } from './no-provider-session.ts';
import { accessClaimsOf, oidcAccount } from './oidc-accounts.ts';
import { oidcAdapter } from './oidc-adapter.ts';
import { passwordGrant } from './password-grant.ts';
import { refreshGrant } from './refresh-grant.ts';
import { clientsOf, type RelyingParty } from './relying-parties.ts';
import { accessTokenSeconds, resourceServer } from './resource-server.ts';
import type { SecondFactor } from './second-factor.ts';
import { addServiceAccounts } from './service-accounts/service-accounts.ts';
import { serviceClients } from './service-accounts/service-client.ts';
import { replyUnavailable, unavailableReplies } from './unavailable-reply.ts';

export interface ProviderOptions {
  readonly db: Kysely<Schema>;
  readonly vault: Vault;
  readonly issuer: string;
  readonly relyingParties: readonly RelyingParty[];
  readonly successionKey: string;
  readonly passwords: PasswordCheck;
  readonly secondFactor: SecondFactor;
  readonly log: IdentityLog;
  readonly signIns: SignInListener;
  /** Client address as reported by trusted proxies. */
  readonly addressOf: (request: Context['req']) => string;
  readonly onError: (error: Error, request: Context['req']) => void;
}

const minute = 60;
const day = 86_400;

/** Absolute session lifetime, however often tokens are renewed. */
const familySeconds = 14 * day;

interface Source {
  readonly clientId: string;
  readonly accountId: string;
  readonly grantId: string;
}

/** Returns an active account or undefined. For an authorization code, the stamp must equal that of its grant. */
const findAccount = (db: Kysely<Schema>) => async (_: Context, id: string, source?: Source) => {
  const account = source ? await accountInSession(db, id, source.grantId) : await accountById(db, id);
  return account?.isActive ? oidcAccount(account) : undefined;
};

/** Other programs do not receive permissions. */
const accessClaims = async (db: Kysely<Schema>, { clientId, accountId, grantId }: Source) => {
  if (clientId !== openid.clientId) return { grant: grantId };
  const account = await accountById(db, accountId);
  if (!account) throw new errors.InvalidGrant('no account');
  return accessClaimsOf(account, grantId);
};

/** Grants all scopes of the client without a consent page, because every client belongs to the clinic. Stores the stamp of the proof. */
const grantFor =
  (db: Kysely<Schema>) =>
  async (ctx: Context): Promise<Grant | undefined> => {
    const { client, session, result } = ctx.oidc;
    if (!result?.login || typeof result.stamp !== 'string') return undefined;
    const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope(client.scope ?? '');
    grant.addResourceScope(openid.audience, client.scope ?? '');
    const grantId = await grant.save();
    await stampGrant(db, grantId, result.stamp);
    await noteSession(db, grantId, parseFacts(result.session));
    return grant;
  };

/** Allows the browser client from the archive's own origin only, other clients from the origins of their redirect URIs. */
const mayCallFrom =
  (publicUrl: string) =>
  (ctx: Context, origin: string, client: Client): boolean => {
    if (!URL.canParse(origin)) return false;
    // Pages cannot set Host, so a matching host means an own page. X-Forwarded-Host could be forged.
    if (client.clientId === openid.clientId)
      return origin === publicUrl || new URL(origin).host === ctx.req.headers.host;
    return client.redirectUris.some((uri) => new URL(uri).origin === origin);
  };

/** Browsers accept a name with this prefix over HTTPS only, so no page of another protocol can set it (RFC 6265bis, 4.1.3.1). */
const cookieNamesAt = (issuer: string) => {
  const prefix = new URL(issuer).protocol === 'https:' ? '__Secure-' : '';
  return { interaction: `${prefix}_interaction`, resume: `${prefix}_interaction_resume`, session: `${prefix}_session` };
};

/** Requires a new sign-in for every request and skips consent. */
const alwaysSignIn = () => {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
};

/**
 * Creates the OpenID provider for the keys at one moment: code flow with PKCE, password, refresh and client credentials grants, rotating refresh tokens, JWT access
 * tokens. Its only state is the keys; everything else is in the database, so instances can replace each other and run in parallel.
 */
export const identityProvider = (options: ProviderOptions, keys: KeyRing): Provider => {
  const { db } = options;
  const stored = oidcAdapter(db, options.vault);
  const provider = new Provider(options.issuer, {
    adapter: (type: string) => (type === 'Client' ? serviceClients(db) : stored(type)),
    jwks: { keys: keys.tokens },
    cookies: { keys: keys.cookies, names: cookieNamesAt(options.issuer) },
    clients: clientsOf(options.issuer, options.relyingParties),
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
    clockTolerance: 10,
    scopes: [...openid.scope.split(' '), ...serviceScopes],
    claims: { openid: ['sub', 'amr', 'auth_time'], profile: ['name'] },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    extraParams: [openid.methodParameter],
    interactions: { policy: alwaysSignIn(), url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: grantFor(db),
    routes: {
      token: openid.tokenPath,
      userinfo: openid.userInfoPath,
      revocation: openid.revocationPath,
      authorization: openid.authorizePath,
      jwks: '/.well-known/openid-configuration/jwks',
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
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
        getResourceServerInfo: (_: Context, resource: string) => {
          if (resource !== openid.audience) throw new errors.InvalidTarget();
          return resourceServer;
        },
      },
    },
    clientBasedCORS: mayCallFrom(options.issuer),
    issueRefreshToken: async (_: Context, client: Client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      IdToken: accessTokenSeconds,
      AuthorizationCode: minute,
      Interaction: 15 * minute,
      Session: minute,
      RefreshToken: familySeconds,
      Grant: familySeconds,
    },
    findAccount: findAccount(db),
    extraTokenClaims: (_: Context, token: Source) => accessClaims(db, token),
    renderError: replyWithError,
  });
  // Proxy headers are written by `own-origin-headers.ts`, never taken from the client.
  provider.proxy = true;
  provider.on('server_error', (ctx, error) => {
    // Redirects to the error page stay; error replies to programs get the right status.
    const problem = databaseProblemOf(error);
    if (problem && ctx.status >= 500) replyUnavailable(ctx, problem);
    options.onError(error, ctx.req);
  });
  provider.use(unavailableReplies);
  provider.use(noProviderSession);
  provider.use(logSignOut(db, options.log));
  addServiceAccounts(provider, options);
  provider.registerGrantType('password', passwordGrant(provider, options), [
    'username',
    'password',
    'code',
    'passkey',
    'scope',
  ]);
  provider.registerGrantType('refresh_token', refreshGrant(provider, options), [
    'refresh_token',
    'scope',
    'resource',
    openid.attemptParameter,
  ]);
  return provider;
};
