import type { TestUser } from './test-users.ts';

/** One test provider: its path on the server, users and claims. */
export interface Kind {
  /** Path of the issuer. */
  readonly path: string;
  readonly title: string;
  readonly client: Readonly<Record<string, unknown>> & { readonly client_id: string };
  readonly scopes: readonly string[];
  /** Claims by the scope that carries them. */
  readonly claims: Readonly<Record<string, readonly string[]>>;
  /** Claims are only in userinfo, as the standard requires with an access token (OpenID Connect Core 5.4). */
  readonly claimsInUserInfo: boolean;
  readonly acrValues: readonly string[];
  knows(user: TestUser): boolean;
  claimsOf(user: TestUser): Readonly<Record<string, unknown>>;
  /** Authentication method and strength; `strong` as chosen on the page. */
  proofOf(strong: boolean): { readonly amr?: readonly string[]; readonly acr?: string };
}

export const azureClientId = '6f1f0c0e-9a54-4a0e-8d5a-0c4a7be1d001';
/** The directory of the demo's first clinic, and a foreign one. */
export const azureTenants = {
  own: '2b8a6f1e-3c57-4d1b-9a70-5f1e0e7ad101',
  other: '9d4cf7a2-61be-4f0c-8a35-b7e0c2d9e202',
} as const;
export const sithsClient = { id: 'dentarium-siths', secret: 'test-secret-of-siths' };
export const ownClient = { id: 'dentarium-openid', secret: 'test-secret-of-openid' };

const names = ({ firstName, lastName }: TestUser) => ({
  name: `${firstName} ${lastName}`,
  given_name: firstName,
  family_name: lastName,
});

const siths: Kind = {
  path: '/siths',
  title: 'SITHS (TEST)',
  client: {
    client_id: sithsClient.id,
    client_secret: sithsClient.secret,
    token_endpoint_auth_method: 'client_secret_basic',
  },
  scopes: ['openid', 'personal_identity_number'],
  claims: { personal_identity_number: ['personalIdentityNumber', 'credentialPersonalIdentityNumber'] },
  claimsInUserInfo: false,
  acrValues: ['http://id.sambi.se/loa/loa2', 'http://id.sambi.se/loa/loa3'],
  knows: () => true,
  claimsOf: (user) => ({
    personalIdentityNumber: user.personalNumber,
    credentialPersonalIdentityNumber: user.personalNumber,
  }),
  proofOf: (strong) => ({
    amr: ['urn:inera:siths:tls'],
    acr: `http://id.sambi.se/loa/loa${strong ? 3 : 2}`,
  }),
};

const azure = (tenantId: string, title: string): Kind => ({
  path: `/azure/${tenantId}/v2.0`,
  title,
  client: { client_id: azureClientId, token_endpoint_auth_method: 'none' },
  scopes: ['openid', 'profile', 'email'],
  claims: {
    openid: ['sub', 'tid', 'oid', 'ver', 'idp'],
    profile: ['name', 'preferred_username', 'upn'],
    email: ['email'],
  },
  claimsInUserInfo: false,
  acrValues: [],
  knows: (user) => user.azureUsername !== null,
  claimsOf: (user) => ({
    name: names(user).name,
    tid: tenantId,
    oid: user.id,
    ver: '2.0',
    preferred_username: user.azureUsername,
    email: user.email,
  }),
  proofOf: (strong) => ({ amr: strong ? ['pwd', 'mfa'] : ['pwd'] }),
});

const own: Kind = {
  path: '/openid',
  title: 'Klinikens egen inloggning (TEST)',
  client: {
    client_id: ownClient.id,
    client_secret: ownClient.secret,
    token_endpoint_auth_method: 'client_secret_basic',
  },
  scopes: ['openid', 'profile', 'email'],
  claims: { profile: ['name', 'given_name', 'family_name'], email: ['email', 'email_verified'] },
  claimsInUserInfo: true,
  acrValues: [],
  knows: () => true,
  claimsOf: (user) => ({ ...names(user), email: user.email, email_verified: true }),
  proofOf: (strong) => ({ amr: strong ? ['pwd', 'otp'] : ['pwd'] }),
};

export const kinds: readonly Kind[] = [
  siths,
  azure(azureTenants.own, 'Azure AD (TEST)'),
  azure(azureTenants.other, 'Azure AD (TEST), annan katalog'),
  own,
];
