import { z } from 'zod';
import { readSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';

export interface PasswordSettings {
  /** Lifetime of a reset link in minutes. */
  readonly resetMinutes: number;
}

const problem = 'no number of minutes from 5 to 1440';

export const passwordVariables = {
  resetMinutes: {
    variable: 'DENTARIUM_RESET_MINUTES',
    schema: z.coerce.number(problem).int(problem).min(5, problem).max(1440, problem),
    default: '60',
    description: 'lifetime of a password reset link, 5 to 1440',
  },
} satisfies Settings;

/** @throws StartupError naming the variable */
export const readPasswordSettings = (environment: Environment): PasswordSettings =>
  readSettings(environment, passwordVariables);
