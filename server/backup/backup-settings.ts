import path from 'node:path';
import { z } from 'zod';
import { readOptionalSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';
import type { TimeOfDay } from './schedule.ts';

export const automaticBackupVariables = {
  folder: {
    variable: 'DENTARIUM_BACKUP_DIR',
    schema: z.string().refine(path.isAbsolute, 'is no absolute path'),
    description:
      'folder of the automatic backup, on another disk or machine. See [operate.md](operate.md#backup). Without it, backups are made by command only',
  },
  at: {
    variable: 'DENTARIUM_BACKUP_AT',
    schema: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is no time of day like 02:30'),
    default: '02:30',
    description: 'local time of the daily backup; a missed one is made up for after the start',
  },
  keepDays: {
    variable: 'DENTARIUM_BACKUP_KEEP_DAYS',
    schema: z.coerce.number().int().min(1).max(3650),
    default: '30',
    description: 'older backups in the folder are removed when a newer good one exists',
  },
  megabytes: {
    variable: 'DENTARIUM_BACKUP_MB_PER_SECOND',
    schema: z.coerce.number().min(0.1).max(100_000),
    default: '20',
    description: 'read limit of the automatic backup',
  },
} satisfies Settings;

/** Settings of the automatic backup. */
export interface BackupSettings {
  /** Absolute path of the folder of backups. */
  readonly folder: string;
  readonly at: TimeOfDay;
  /** Older backups are removed. */
  readonly keepDays: number;
  /** Limit of reading. */
  readonly bytesPerSecond: number;
}

/** Reads the settings of the automatic backup; null when none is set. @throws StartupError */
export const readBackupSettings = (environment: Environment): BackupSettings | null => {
  const values = readOptionalSettings(environment, automaticBackupVariables, {
    missing: 'is missing, and the automatic backup needs it',
  });
  if (!values) return null;
  const [hour, minute] = values.at.split(':').map(Number);
  return {
    folder: path.resolve(values.folder),
    at: { hour: hour ?? 0, minute: minute ?? 0 },
    keepDays: values.keepDays,
    bytesPerSecond: values.megabytes * 1_000_000,
  };
};
