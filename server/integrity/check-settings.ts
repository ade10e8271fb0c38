import { z } from 'zod';
import { StartupError } from '../startup-error.ts';

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

const settings = z.object({
  DENTARIUM_FILE_CHECK_DAYS: z.coerce.number().min(0.01).max(3650).optional(),
  DENTARIUM_FILE_CHECK_MB_PER_SECOND: z.coerce.number().min(0.1).max(100_000).optional(),
});

/** Reads the settings from the environment, with defaults. @throws StartupError naming the invalid variable */
export const readFileCheckSettings = (environment: Readonly<Record<string, string | undefined>>): FileCheckSettings => {
  const given = Object.keys(settings.shape).flatMap((name) => (environment[name] ? [[name, environment[name]]] : []));
  const result = settings.safeParse(Object.fromEntries(given));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new StartupError(`Setting ${String(issue?.path[0])}: ${issue?.message ?? 'not valid'}`);
  }
  const { DENTARIUM_FILE_CHECK_DAYS: days, DENTARIUM_FILE_CHECK_MB_PER_SECOND: megabytes } = result.data;
  return {
    passMs: days === undefined ? defaultFileCheck.passMs : days * dayMs,
    bytesPerSecond: megabytes === undefined ? defaultFileCheck.bytesPerSecond : megabytes * megabyte,
  };
};
