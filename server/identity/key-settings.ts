import { z } from 'zod';
import { readSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';

export interface KeySettings {
  /** Days that a key signs before the next published one takes over. */
  readonly signDays: number;
  /** Interval at which a node looks for keys of other nodes. */
  readonly refreshSeconds: number;
}

const problem = 'a number of days, 1 to 3650';

export const keyVariables = {
  signDays: {
    variable: 'DENTARIUM_SIGNING_KEY_DAYS',
    schema: z.coerce.number(problem).min(1, problem).max(3650, problem),
    default: '90',
    description: 'rotation of the token signing key, 1 to 3650; users stay signed in',
  },
} satisfies Settings;

/** @throws StartupError naming the invalid variable */
export const readKeySettings = (environment: Environment): KeySettings => ({
  ...readSettings(environment, keyVariables),
  refreshSeconds: 30,
});
