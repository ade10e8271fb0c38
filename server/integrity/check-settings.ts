import { z } from 'zod';
import { readSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';

/** Settings of the background integrity check of stored files. */
export interface FileCheckSettings {
  /** Each file is read once in this time. */
  readonly passMs: number;
  /** Maximum read rate, also when the check lags behind. */
  readonly bytesPerSecond: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const megabyte = 1_000_000;

export const defaultFileCheck: FileCheckSettings = { passMs: 30 * dayMs, bytesPerSecond: 20 * megabyte };

export const fileCheckVariables = {
  days: {
    variable: 'DENTARIUM_FILE_CHECK_DAYS',
    schema: z.coerce.number().min(0.01).max(3650),
    default: String(defaultFileCheck.passMs / dayMs),
    description: 'interval in which the background check verifies every image file once; at most 3650',
  },
  megabytes: {
    variable: 'DENTARIUM_FILE_CHECK_MB_PER_SECOND',
    schema: z.coerce.number().min(0.1).max(100_000),
    default: String(defaultFileCheck.bytesPerSecond / megabyte),
    description: 'read limit of the background check; 20 is enough for 50 TB in 30 days',
  },
} satisfies Settings;

/** Reads the settings, with defaults. @throws StartupError naming the invalid variable */
export const readFileCheckSettings = (environment: Environment): FileCheckSettings => {
  const { days, megabytes } = readSettings(environment, fileCheckVariables);
  return { passMs: days * dayMs, bytesPerSecond: megabytes * megabyte };
};
