import { z } from 'zod';
import { isLoopback } from '../../loopback.ts';
import { type Environment, readNamed } from '../../named-settings.ts';
import { StartupError } from '../../startup-error.ts';

/** Settings of an SMS gateway: a URL that accepts `from`, `to` and `message` by POST. */
export interface SmsSettings {
  readonly url: string;
  /** Value of the `Authorization` header; null when none is needed. */
  readonly authorization: string | null;
  /** Sender name (at most eleven letters or digits) or telephone number. */
  readonly from: string;
  readonly format: 'form' | 'json';
}

const settings = {
  DENTARIUM_SMS_URL: z.url({ protocol: /^https?$/, error: 'no address of the web' }),
  DENTARIUM_SMS_USER: z.string().optional(),
  DENTARIUM_SMS_PASSWORD: z.string().optional(),
  DENTARIUM_SMS_TOKEN: z.string().optional(),
  DENTARIUM_SMS_FROM: z
    .string()
    .regex(/^([A-Za-z0-9]{1,11}|\+[1-9]\d{6,14})$/, 'neither a name of at most eleven letters and digits nor a number')
    .default('Dentarium'),
  DENTARIUM_SMS_FORMAT: z.enum(['form', 'json']).default('form'),
};

/** Returns whether the gateway is on this machine: no message is delivered, so its codes prove nothing. */
export const isTestGateway = ({ url }: Pick<SmsSettings, 'url'>): boolean => isLoopback(url);

/**
 * Reads the gateway settings from the environment; null when none is set.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readSmsSettings = (environment: Environment): SmsSettings | null => {
  const named = readNamed(environment, settings, { missing: 'is missing, and text messages need it' });
  if (!named) return null;
  const { DENTARIUM_SMS_URL: url, DENTARIUM_SMS_USER: user, DENTARIUM_SMS_PASSWORD: password } = named;
  if ((user === undefined) !== (password === undefined))
    throw new StartupError(
      `Setting ${user === undefined ? 'DENTARIUM_SMS_USER' : 'DENTARIUM_SMS_PASSWORD'}: is missing, and the other of the two is there`,
    );
  if (user !== undefined && named.DENTARIUM_SMS_TOKEN !== undefined)
    throw new StartupError('Setting DENTARIUM_SMS_TOKEN: a user and password are given as well; one of them is enough');
  if (new URL(url).protocol === 'http:' && !isLoopback(url))
    throw new StartupError(
      'Setting DENTARIUM_SMS_URL: codes may not travel in the open; the address must begin with https',
    );
  const basic = user === undefined ? null : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const bearer = named.DENTARIUM_SMS_TOKEN === undefined ? null : `Bearer ${named.DENTARIUM_SMS_TOKEN}`;
  return { url, authorization: basic ?? bearer, from: named.DENTARIUM_SMS_FROM, format: named.DENTARIUM_SMS_FORMAT };
};
