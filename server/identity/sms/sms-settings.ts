import { z } from 'zod';
import { isLoopback } from '../../loopback.ts';
import { readOptionalSettings } from '../../settings/read-settings.ts';
import type { Environment, Settings } from '../../settings/setting.ts';
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

export const smsVariables = {
  url: {
    variable: 'DENTARIUM_SMS_URL',
    schema: z.url({ protocol: /^https?$/, error: 'no address of the web' }),
    description: 'gateway that accepts `from`, `to` and `message`, such as 46elks',
  },
  user: {
    variable: 'DENTARIUM_SMS_USER',
    schema: z.string().optional(),
    description: 'user at the gateway, with `DENTARIUM_SMS_PASSWORD`',
  },
  password: {
    variable: 'DENTARIUM_SMS_PASSWORD',
    schema: z.string().optional(),
    description: 'password of that user',
    isSecret: true,
  },
  token: {
    variable: 'DENTARIUM_SMS_TOKEN',
    schema: z.string().optional(),
    description: 'bearer token, instead of user and password',
    isSecret: true,
  },
  from: {
    variable: 'DENTARIUM_SMS_FROM',
    schema: z
      .string()
      .regex(
        /^([A-Za-z0-9]{1,11}|\+[1-9]\d{6,14})$/,
        'neither a name of at most eleven letters and digits nor a number',
      ),
    default: 'Dentarium',
    description: 'sender: a name of at most eleven letters and digits, or a number',
  },
  format: {
    variable: 'DENTARIUM_SMS_FORMAT',
    schema: z.enum(['form', 'json']),
    default: 'form',
    description: '`form` or `json`',
  },
} satisfies Settings;

/** Returns whether the gateway is on this machine: no message is delivered, so its codes prove nothing. */
export const isTestGateway = ({ url }: Pick<SmsSettings, 'url'>): boolean => isLoopback(url);

/**
 * Reads the gateway settings; null when none is set.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readSmsSettings = (environment: Environment): SmsSettings | null => {
  const values = readOptionalSettings(environment, smsVariables, { missing: 'is missing, and text messages need it' });
  if (!values) return null;
  const { url, user, password, token, from, format } = values;
  if ((user === undefined) !== (password === undefined))
    throw new StartupError(
      `Setting ${user === undefined ? 'DENTARIUM_SMS_USER' : 'DENTARIUM_SMS_PASSWORD'}: is missing, and the other of the two is there`,
    );
  if (user !== undefined && token !== undefined)
    throw new StartupError('Setting DENTARIUM_SMS_TOKEN: a user and password are given as well; one of them is enough');
  if (new URL(url).protocol === 'http:' && !isLoopback(url))
    throw new StartupError(
      'Setting DENTARIUM_SMS_URL: codes may not travel in the open; the address must begin with https',
    );
  const basic = user === undefined ? null : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const bearer = token === undefined ? null : `Bearer ${token}`;
  return { url, authorization: basic ?? bearer, from, format };
};
