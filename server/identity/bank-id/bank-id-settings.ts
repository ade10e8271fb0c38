import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { type Environment, readNamed } from '../../named-settings.ts';
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

const settings = {
  DENTARIUM_BANKID_CERTIFICATE: z.string().min(1),
  DENTARIUM_BANKID_PASSPHRASE: z.string().min(1),
  DENTARIUM_BANKID_CA: z.string().min(1),
  DENTARIUM_BANKID_URL: z
    .url({ protocol: /^https$/, error: 'no address that begins with https' })
    .transform((text) => text.replace(/\/+$/, ''))
    .default('https://appapi2.bankid.com/rp/v6.0'),
  DENTARIUM_BANKID_POLICIES: policies.default([]),
};

const readSetting = (name: keyof typeof settings, file: string): Buffer => {
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
 * Reads the BankID settings from the environment; null when none is set. The files are read once, here.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readBankIdSettings = (environment: Environment): BankIdSettings | null => {
  const named = readNamed(environment, settings, { missing: 'is missing, and BankID needs it' });
  if (!named) return null;
  const certificate = readSetting('DENTARIUM_BANKID_CERTIFICATE', named.DENTARIUM_BANKID_CERTIFICATE);
  const ca = readSetting('DENTARIUM_BANKID_CA', named.DENTARIUM_BANKID_CA).toString('latin1');
  const passphrase = named.DENTARIUM_BANKID_PASSPHRASE;
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
  return {
    url: named.DENTARIUM_BANKID_URL,
    certificate,
    passphrase,
    ca,
    certificatePolicies: named.DENTARIUM_BANKID_POLICIES,
  };
};

/** Returns whether the URL is a local server or BankID's test environment: signing in there proves nothing. */
export const isTestBankId = ({ url }: Pick<BankIdSettings, 'url'>): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\]|.+\.test\.bankid\.com)$/.test(new URL(url).hostname);
