import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isLoopback } from '../../loopback.ts';
import { readOptionalSettings, readSettings } from '../../settings/read-settings.ts';
import type { Environment, Settings } from '../../settings/setting.ts';
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

const label = text.max(60).optional();

/**
 * Inera's IdP sends the personal identity number from HSA as `personalIdentityNumber` (scope `personal_identity_number`), and the one on the card as
 * `credentialPersonalIdentityNumber` (IdP, Attributlista and Attributstyrning OIDC).
 */
export const sithsVariables = {
  issuer: {
    variable: 'DENTARIUM_SITHS_ISSUER',
    schema: address,
    description: 'the issuer, as in its discovery document',
  },
  clientId: { variable: 'DENTARIUM_SITHS_CLIENT_ID', schema: text, description: 'id of this archive at the issuer' },
  clientSecret: {
    variable: 'DENTARIUM_SITHS_CLIENT_SECRET',
    schema: text.optional(),
    description: 'secret of this archive; this or a private key is required',
    isSecret: true,
  },
  label: { variable: 'DENTARIUM_SITHS_LABEL', schema: label, description: 'label on the sign-in page' },
  privateKeyFile: {
    variable: 'DENTARIUM_SITHS_PRIVATE_KEY_FILE',
    schema: text.optional(),
    description: 'PEM file of a private key (RSA, P-256 or P-384), instead of a secret',
  },
  privateKeyId: {
    variable: 'DENTARIUM_SITHS_PRIVATE_KEY_ID',
    schema: text.optional(),
    description: 'id of that key at the issuer',
  },
  scope: {
    variable: 'DENTARIUM_SITHS_SCOPE',
    schema: scope,
    default: 'openid personal_identity_number',
    description: 'requested scope, if your agreement differs',
  },
  claims: {
    variable: 'DENTARIUM_SITHS_CLAIM',
    schema: claimNames,
    default: 'credentialPersonalIdentityNumber, personalIdentityNumber',
    description: 'claims with the personal number; the first one present is used',
  },
} satisfies Settings;

export const openidVariables = {
  issuer: {
    variable: 'DENTARIUM_OPENID_ISSUER',
    schema: address,
    description: 'the issuer, as in its discovery document',
  },
  clientId: { variable: 'DENTARIUM_OPENID_CLIENT_ID', schema: text, description: 'id of this archive at the provider' },
  clientSecret: {
    variable: 'DENTARIUM_OPENID_CLIENT_SECRET',
    schema: text.optional(),
    description: 'secret of this archive at the provider',
    isSecret: true,
  },
  label: { variable: 'DENTARIUM_OPENID_LABEL', schema: label, description: 'label on the sign-in page' },
  scope: {
    variable: 'DENTARIUM_OPENID_SCOPE',
    schema: scope,
    default: 'openid profile email',
    description: 'requested scope',
  },
  claim: {
    variable: 'DENTARIUM_OPENID_CLAIM',
    schema: claimName,
    default: 'email',
    description: 'claim that identifies the user; `email` only if the provider reports it as verified',
  },
  accountField: {
    variable: 'DENTARIUM_OPENID_ACCOUNT_FIELD',
    schema: z.enum(accountFields),
    default: 'email',
    description: 'field of the account that must equal the claim: `email`, `azure_username` or `personal_number`',
  },
} satisfies Settings;

export const azureVariables = {
  authority: {
    variable: 'DENTARIUM_AZURE_AUTHORITY',
    schema: address,
    default: 'https://login.microsoftonline.com',
    description: 'the address of another cloud',
  },
  clientSecret: {
    variable: 'DENTARIUM_AZURE_CLIENT_SECRET',
    schema: text.optional(),
    description: 'secret, when the archive is registered under "Web"',
    isSecret: true,
  },
} satisfies Settings;

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
  const found = readOptionalSettings(environment, sithsVariables);
  if (!found) return null;
  const { privateKeyFile, ...values } = found;
  if (!values.clientSecret === !privateKeyFile)
    throw new StartupError('Setting DENTARIUM_SITHS_CLIENT_SECRET or DENTARIUM_SITHS_PRIVATE_KEY_FILE: one is needed');
  return {
    ...values,
    clientSecret: values.clientSecret ?? null,
    label: values.label ?? null,
    privateKey: privateKeyFile === undefined ? null : readKey(privateKeyFile),
    privateKeyId: values.privateKeyId ?? null,
  };
};

const readOwn = (environment: Environment): OwnProviderSettings | null => {
  const found = readOptionalSettings(environment, openidVariables);
  return found && { ...found, clientSecret: found.clientSecret ?? null, label: found.label ?? null };
};

/**
 * Reads the settings of external providers.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readUpstreamSettings = (environment: Environment): UpstreamSettings => {
  const azure = readSettings(environment, azureVariables);
  return {
    siths: readSiths(environment),
    openid: readOwn(environment),
    azureAuthority: azure.authority.replace(/\/+$/, ''),
    azureClientSecret: azure.clientSecret ?? null,
  };
};
