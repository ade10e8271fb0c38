import { z } from 'zod';
import type { Environment } from '../named-settings.ts';
import { StartupError } from '../startup-error.ts';

export interface PasswordSettings {
  /** Lifetime of a reset link in minutes. */
  readonly resetMinutes: number;
}

const minutes = z.coerce.number().int().min(5).max(1440).default(60);

/** @throws StartupError naming the variable */
export const readPasswordSettings = (environment: Environment): PasswordSettings => {
  const result = minutes.safeParse(environment.DENTARIUM_RESET_MINUTES || undefined);
  if (!result.success) throw new StartupError('Setting DENTARIUM_RESET_MINUTES: no number of minutes from 5 to 1440');
  return { resetMinutes: result.data };
};
