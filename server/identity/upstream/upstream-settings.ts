import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isLoopback } from '../../loopback.ts';
import { type Environment, readNamed } from '../../named-settings.ts';
import { StartupError } from '../../startup-error.ts';

/** An external OpenID provider. */
export interface UpstreamProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly label: string | null;
}

export interface SithsSettings extends UpstreamProvider {
  /** Signs the client assertion at the token endpoint (private_key_jwt) instead of a secret. */
  readonly privateKey: KeyObject | null;
  readonly privateKeyId: string | null;
  readonly scope: string;
  /** Claims that may contain the personal identity number; the first one present is used. */
  readonly claims: readonly string[];
}

export const accountFields = ['email', 'azure_username', 'personal_number'] as const;
export type AccountField = (typeof accountFields)[number];

export interface OwnProviderSettings extends UpstreamProvider {
  readonly scope: string;
  readonly claim: string;
  /** Account field that must equal the claim. */
  readonly accountField: AccountField;
}

export interface UpstreamSettings {
  readonly siths: SithsSettings | null;
  /** The clinic's own provider. */
  readonly openid: OwnProviderSettings | null;
  /** Base address of Azure AD; client and tenant are set by an administrator. */
  readonly azureAuthority: string;
  /** Null: a public client with PKCE only. */
  readonly azureClientSecret: string | null;
}

/** An https URL without query; http only on this machine. Not normalized, because issuers are compared exactly. */
const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => URL.canParse(text) && (text.startsWith('https:') || isLoopback(text)), 'must be https')
  .refine((text) => !/[?#]/.test(text), 'must have neither query nor fragment')
  .refine((text) => URL.canParse(text) && new URL(text).username === '', 'must not contain a user name');

const text = z.string().trim().min(1).max(1000);
const claimName = z.string().regex(/^[\w:./-]{1,200}$/, 'no name of a claim');
const claimNames = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(claimName).min(1));
const scope = z.string().regex(/^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must begin with openid');

const provider = { ISSUER: address, CLIENT_ID: text, CLIENT_SECRET: text.optional(), LABEL: text.max(60).optional() };

/**
 * Inera's IdP sends the personal identity number from HSA as `personalIdentityNumber` (scope `personal_identity_number`), and the one on the card as
 * `credentialPersonalIdentityNumber` (IdP, Attributlista and Attributstyrning OIDC).
 */
const siths = {
  ...provider,
  PRIVATE_KEY_FILE: text.optional(),
  PRIVATE_KEY_ID: text.optional(),
  SCOPE: scope.default('openid personal_identity_number'),
  CLAIM: claimNames.default(['credentialPersonalIdentityNumber', 'personalIdentityNumber']),
};

const openid = {
  ...provider,
  SCOPE: scope.default('openid profile email'),
  CLAIM: claimName.default('email'),
  ACCOUNT_FIELD: z.enum(accountFields).default('email'),
};

const azure = { AUTHORITY: address.default('https://login.microsoftonline.com'), CLIENT_SECRET: text.optional() };

const readKey = (file: string): KeyObject => {
  const invalidKey = (problem: string) => new StartupError(`Setting DENTARIUM_SITHS_PRIVATE_KEY_FILE: ${problem}`);
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(file));
  } catch {
    throw invalidKey('is not a readable private key (PEM, without password)');
  }
  const isRsa = key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
  const isCurve = ['prime256v1', 'secp384r1'].includes(key.asymmetricKeyDetails?.namedCurve ?? '');
  if (!isRsa && !isCurve) throw invalidKey('must be RSA of at least 2048 bits, or EC P-256 or P-384');
  return key;
};

const readSiths = (environment: Environment): SithsSettings | null => {
  const found = readNamed(environment, siths, { prefix: 'DENTARIUM_SITHS_' });
  if (!found) return null;
  if (!found.CLIENT_SECRET === !found.PRIVATE_KEY_FILE)
    throw new StartupError('Setting DENTARIUM_SITHS_CLIENT_SECRET or DENTARIUM_SITHS_PRIVATE_KEY_FILE: one is needed');
  return {
    issuer: found.ISSUER,
    clientId: found.CLIENT_ID,
    clientSecret: found.CLIENT_SECRET ?? null,
    label: found.LABEL ?? null,
    privateKey: found.PRIVATE_KEY_FILE === undefined ? null : readKey(found.PRIVATE_KEY_FILE),
    privateKeyId: found.PRIVATE_KEY_ID ?? null,
    scope: found.SCOPE,
    claims: found.CLAIM,
  };
};

const readOwn = (environment: Environment): OwnProviderSettings | null => {
  const found = readNamed(environment, openid, { prefix: 'DENTARIUM_OPENID_' });
  return (
    found && {
      issuer: found.ISSUER,
      clientId: found.CLIENT_ID,
      clientSecret: found.CLIENT_SECRET ?? null,
      label: found.LABEL ?? null,
      scope: found.SCOPE,
      claim: found.CLAIM,
      accountField: found.ACCOUNT_FIELD,
    }
  );
};

/**
 * Reads the settings of external providers from the environment.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readUpstreamSettings = (environment: Environment): UpstreamSettings => {
  const found = readNamed(environment, azure, { prefix: 'DENTARIUM_AZURE_' });
  return {
    siths: readSiths(environment),
    openid: readOwn(environment),
    azureAuthority: (found?.AUTHORITY ?? 'https://login.microsoftonline.com').replace(/\/+$/, ''),
    azureClientSecret: found?.CLIENT_SECRET ?? null,
  };
};
