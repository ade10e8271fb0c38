import { z } from 'zod';
import type { Environment } from '../named-settings.ts';
import { StartRefused } from '../start-refused.ts';

export interface KeySettings {
  /** A key signs for as long; then the next one, which was published before, takes over. */
  readonly signDays: number;
  /** How often a node looks for keys that another one made. */
  readonly lookEverySeconds: number;
}

const days = z.coerce.number().min(1).max(3650).default(90);

/** Throws StartRefused naming the variable that is wrong. */
export const readKeySettings = (environment: Environment): KeySettings => {
  const result = days.safeParse(environment.DENTARIUM_SIGNING_KEY_DAYS || undefined);
  if (!result.success) throw new StartRefused('Setting DENTARIUM_SIGNING_KEY_DAYS: a number of days, 1 to 3650');
  return { signDays: result.data, lookEverySeconds: 30 };
};
