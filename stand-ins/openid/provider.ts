import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import Provider, { type Context, interactionPolicy } from 'oidc-provider';
import { changed, type FaultInjection } from './faults.ts';
import type { Kind } from './kinds.ts';
import { testUsers } from './test-users.ts';

/** Parts of oidc-provider that are missing in our own type declaration. */
interface Details {
  readonly uid: string;
  readonly params: Readonly<Record<string, string | undefined>>;
}
interface Interacting {
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Details>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}
interface ConsentContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: Provider;
  };
}

export type TestProvider = Provider & Interacting;

const algorithm = 'RS256';

const newKey = async (): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: algorithm, use: 'sig' };
};

/** Applies injected faults to responses. */
const misbehave =
  (key: JWK, faults: () => FaultInjection) =>
  async (ctx: Context, next: () => Promise<void>): Promise<void> => {
    const { slowMilliseconds, claims, foreignKey, issuer, userInfo } = faults();
    const { path } = ctx;
    if (path.endsWith('/token') && slowMilliseconds)
      await new Promise((resolve) => setTimeout(resolve, slowMilliseconds));
    await next();
    const body = ctx.body as Record<string, unknown> | undefined;
    if (path.endsWith('/.well-known/openid-configuration') && issuer) ctx.body = { ...body, issuer };
    if (path.endsWith('/me') && userInfo) ctx.body = changed({ ...body }, userInfo);
    if (path.endsWith('/token') && typeof body?.id_token === 'string' && (claims || foreignKey)) {
      const claimsBefore = changed(decodeJwt(body.id_token), claims);
      const signing = foreignKey ? await newKey() : key;
      const header = { alg: algorithm, kid: key.kid ?? '' };
      ctx.body = { ...body, id_token: await new SignJWT(claimsBefore).setProtectedHeader(header).sign(signing) };
    }
  };

/** Grants all requested claims without a consent page. */
const withoutConsent = () => {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
};

const configurationOf = (kind: Kind, key: JWK, cookieKeys: readonly string[], redirectUris: readonly string[]) => {
  const name = kind.path.replace(/\W/g, '');
  const every = [...new Set(Object.values(kind.claims).flat())];
  return {
    jwks: { keys: [key] },
    clients: [
      {
        ...kind.client,
        // Loopback addresses on any port (RFC 8252 section 7.3): the archive under test uses any free port.
        application_type: 'native',
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: algorithm,
      },
    ],
    scopes: kind.scopes,
    claims: { ...kind.claims, openid: [...(kind.claims.openid ?? ['sub']), 'acr', 'amr', 'auth_time'] },
    conformIdTokenClaims: kind.claimsInUserInfo,
    // Cookies ignore ports, so each provider uses its own cookie names.
    cookies: {
      keys: cookieKeys,
      names: { session: `${name}_session`, interaction: `${name}_interaction`, resume: `${name}_resume` },
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    pkce: { required: () => true },
    enabledJWA: { clientAuthSigningAlgValues: ['RS256', 'ES256', 'ES384'] },
    acrValues: kind.acrValues,
    interactions: {
      policy: withoutConsent(),
      url: (_: unknown, interaction: { uid: string }) => `${kind.path}/login/${interaction.uid}`,
    },
    findAccount: (_: unknown, accountId: string) => {
      const user = testUsers.find(({ id }) => id === accountId);
      return user && { accountId, claims: async () => ({ sub: accountId, ...kind.claimsOf(user) }) };
    },
    loadExistingGrant: async ({ oidc }: ConsentContext) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(kind.scopes.join(' '));
      (grant as unknown as { addOIDCClaims(claims: readonly string[]): void }).addOIDCClaims(every);
      await grant.save();
      return grant;
    },
  };
};

export interface RunningKind {
  readonly kind: Kind;
  readonly faults: FaultInjection;
  setFaults(faults: FaultInjection): void;
  provider(): TestProvider;
  /** Rotates the signing key; the old one is removed from the JWKS. */
  rotate(): Promise<void>;
}

/** One test provider at `<origin><kind.path>`. */
export const openKind = async (kind: Kind, origin: string, redirectUris: readonly string[]): Promise<RunningKind> => {
  let faults: FaultInjection = {};
  const cookieKeys = [randomBytes(32).toString('base64url')];
  const make = async (): Promise<TestProvider> => {
    const key = await newKey();
    const provider = new Provider(`${origin}${kind.path}`, configurationOf(kind, key, cookieKeys, redirectUris));
    provider.use(misbehave(key, () => faults));
    return provider as TestProvider;
  };
  let provider = await make();
  return {
    kind,
    get faults() {
      return faults;
    },
    setFaults: (next) => {
      faults = next;
    },
    provider: () => provider,
    rotate: async () => {
      provider = await make();
    },
  };
};
