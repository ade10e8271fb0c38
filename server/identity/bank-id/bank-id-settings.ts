import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { readOptionalSettings } from '../../settings/read-settings.ts';
import type { Environment, Settings } from '../../settings/setting.ts';
import { StartupError } from '../../startup-error.ts';

/** Settings of a BankID relying party (RP API version 6). */
export interface BankIdSettings {
  /** Ends in `/rp/v6.0`, without a trailing slash. */
  readonly url: string;
  /** PKCS #12 file with the client certificate and its key. */
  readonly certificate: Buffer;
  readonly passphrase: string;
  /** PEM of BankID's own certificate authority, which is in no trust store of browsers or Node. */
  readonly ca: string;
  /** Object identifiers of the accepted certificate policies; empty: all. */
  readonly certificatePolicies: readonly string[];
}

const policies = z
  .string()
  .transform((text) => text.split(',').map((policy) => policy.trim()))
  .pipe(z.array(z.string().regex(/^\d+(\.(\d+|\*))+$/, 'no list of object identifiers')));

export const bankIdVariables = {
  certificate: {
    variable: 'DENTARIUM_BANKID_CERTIFICATE',
    schema: z.string().min(1),
    description: 'PKCS #12 file of the relying party',
  },
  passphrase: {
    variable: 'DENTARIUM_BANKID_PASSPHRASE',
    schema: z.string().min(1),
    description: 'passphrase of that file',
    isSecret: true,
  },
  ca: {
    variable: 'DENTARIUM_BANKID_CA',
    schema: z.string().min(1),
    description: "PEM file of the authority that signed BankID's server certificate",
  },
  url: {
    variable: 'DENTARIUM_BANKID_URL',
    schema: z
      .url({ protocol: /^https$/, error: 'no address that begins with https' })
      .transform((text) => text.replace(/\/+$/, '')),
    default: 'https://appapi2.bankid.com/rp/v6.0',
    description: "address of BankID's service",
  },
  policies: {
    variable: 'DENTARIUM_BANKID_POLICIES',
    schema: policies.optional(),
    defaultNote: 'all kinds of BankID',
    description: 'certificate policies, separated by commas',
  },
} satisfies Settings;

const readSetting = (name: string, file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    throw new StartupError(`Setting ${name}: the file cannot be read`);
  }
};

/** Describes an OpenSSL error about a PKCS #12 file, with the remedy. */
const certificateError = (error: unknown): string => {
  const message = error instanceof Error ? error.message : '';
  if (/mac verify failure/i.test(message))
    return 'Setting DENTARIUM_BANKID_PASSPHRASE: does not open the file of DENTARIUM_BANKID_CERTIFICATE';
  if (/unsupported/i.test(message))
    return 'Setting DENTARIUM_BANKID_CERTIFICATE: the file is encrypted in a way that is no longer supported; export it again with AES-256';
  return 'Setting DENTARIUM_BANKID_CERTIFICATE: the file is no PKCS #12 with a certificate and its key';
};

/**
 * Reads the BankID settings; null when none is set. The files are read once, here.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readBankIdSettings = (environment: Environment): BankIdSettings | null => {
  const values = readOptionalSettings(environment, bankIdVariables, { missing: 'is missing, and BankID needs it' });
  if (!values) return null;
  const { url, passphrase } = values;
  const certificate = readSetting(bankIdVariables.certificate.variable, values.certificate);
  const ca = readSetting(bankIdVariables.ca.variable, values.ca).toString('latin1');
  if (!/-----BEGIN CERTIFICATE-----/.test(ca))
    throw new StartupError('Setting DENTARIUM_BANKID_CA: the file holds no certificate in PEM');
  try {
    createSecureContext({ pfx: certificate, passphrase });
  } catch (error) {
    throw new StartupError(certificateError(error));
  }
  try {
    createSecureContext({ ca });
  } catch {
    throw new StartupError('Setting DENTARIUM_BANKID_CA: the certificate in the file cannot be read');
  }
  return { url, certificate, passphrase, ca, certificatePolicies: values.policies ?? [] };
};

/** Returns whether the URL is a local server or BankID's test environment: signing in there proves nothing. */
export const isTestBankId = ({ url }: Pick<BankIdSettings, 'url'>): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\]|.+\.test\.bankid\.com)$/.test(new URL(url).hostname);
