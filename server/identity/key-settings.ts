import { z } from 'zod';
import type { Environment } from '../named-settings.ts';
import { StartupError } from '../startup-error.ts';

export interface KeySettings {
  /** Days that a key signs before the next published one takes over. */
  readonly signDays: number;
  /** Interval at which a node looks for keys of other nodes. */
  readonly refreshSeconds: number;
}

const days = z.coerce.number().min(1).max(3650).default(90);

/** @throws StartupError naming the invalid variable */
export const readKeySettings = (environment: Environment): KeySettings => {
  const result = days.safeParse(environment.DENTARIUM_SIGNING_KEY_DAYS || undefined);
  if (!result.success) throw new StartupError('Setting DENTARIUM_SIGNING_KEY_DAYS: a number of days, 1 to 3650');
  return { signDays: result.data, refreshSeconds: 30 };
};
