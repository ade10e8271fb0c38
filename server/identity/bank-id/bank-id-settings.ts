import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { type Environment, readNamed } from '../../named-settings.ts';
import { StartRefused } from '../../start-refused.ts';

/** A relying party of BankID (RP API version 6). */
export interface BankIdSettings {
  /** Ends in `/rp/v6.0`, without a slash behind it. */
  readonly url: string;
  /** PKCS #12 with the client certificate and its key: the file's bytes. */
  readonly certificate: Buffer;
  readonly passphrase: string;
  /** PEM of the issuer of BankID's server certificate. BankID has its own: no list of a browser or of Node holds it. */
  readonly ca: string;
  /** Object identifiers of the kinds of BankID that are accepted; none: every kind. */
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
    throw new StartRefused(`Setting ${name}: the file cannot be read`);
  }
};

/** What OpenSSL says about a PKCS #12 file, in words that name the remedy. */
const faultOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : '';
  if (/mac verify failure/i.test(message))
    return 'Setting DENTARIUM_BANKID_PASSPHRASE: does not open the file of DENTARIUM_BANKID_CERTIFICATE';
  if (/unsupported/i.test(message))
    return 'Setting DENTARIUM_BANKID_CERTIFICATE: the file is encrypted in a way that is no longer supported; export it again with AES-256';
  return 'Setting DENTARIUM_BANKID_CERTIFICATE: the file is no PKCS #12 with a certificate and its key';
};

/**
 * BankID as the environment names it; null when it names nothing of it. The files are read and opened here, once.
 * @throws StartRefused naming the first variable that is missing or wrong, never its value
 */
export const readBankIdSettings = (environment: Environment): BankIdSettings | null => {
  const named = readNamed(environment, settings, { missing: 'is missing, and BankID needs it' });
  if (!named) return null;
  const certificate = readSetting('DENTARIUM_BANKID_CERTIFICATE', named.DENTARIUM_BANKID_CERTIFICATE);
  const ca = readSetting('DENTARIUM_BANKID_CA', named.DENTARIUM_BANKID_CA).toString('latin1');
  const passphrase = named.DENTARIUM_BANKID_PASSPHRASE;
  if (!/-----BEGIN CERTIFICATE-----/.test(ca))
    throw new StartRefused('Setting DENTARIUM_BANKID_CA: the file holds no certificate in PEM');
  try {
    createSecureContext({ pfx: certificate, passphrase });
  } catch (error) {
    throw new StartRefused(faultOf(error));
  }
  try {
    createSecureContext({ ca });
  } catch {
    throw new StartRefused('Setting DENTARIUM_BANKID_CA: the certificate in the file cannot be read');
  }
  return {
    url: named.DENTARIUM_BANKID_URL,
    certificate,
    passphrase,
    ca,
    certificatePolicies: named.DENTARIUM_BANKID_POLICIES,
  };
};

/** A server of one's own, or the test environment of BankID: whoever signs in there proves nothing. */
export const isTestBankId = ({ url }: Pick<BankIdSettings, 'url'>): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\]|.+\.test\.bankid\.com)$/.test(new URL(url).hostname);
