import { z } from 'zod';
import type { ImportLimits } from '../../contract/uploads.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';
import { defaultLimits } from './limits.ts';

/** How long unneeded files and records are stored. */
export interface ImportRetention {
  /** Age after which a stored file without a row is removed. Much longer than any upload takes between bytes and row. */
  readonly orphanMs: number;
  /** Retention of failed and cancelled imports, and of the non-image files of finished ones. */
  readonly keepMs: number;
  /** Days that a swept file stays in quarantine. */
  readonly quarantineDays: number;
}

export interface ImportSettings {
  readonly limits: ImportLimits;
  readonly retention: ImportRetention;
  /** Null: `defaultReserve`. */
  readonly reservedBytes: number | null;
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;

export const defaultRetention: ImportRetention = { orphanMs: dayMs, keepMs: 7 * dayMs, quarantineDays: 30 };

const count = (most: number) => z.coerce.number().int().min(1).max(most);
const amount = (least: number, most: number) => z.coerce.number().min(least).max(most);

export const importVariables = {
  fileMb: {
    variable: 'DENTARIUM_IMPORT_FILE_MB',
    // A file is decoded in memory, and Node cannot read 2 GiB or more at once.
    schema: amount(1, 2047),
    default: String(defaultLimits.fileBytes / megabyte),
    description: 'maximum size of one file, at most 2047 (zip files: `DENTARIUM_IMPORT_ZIP_GB`)',
  },
  files: {
    variable: 'DENTARIUM_IMPORT_FILES',
    schema: count(100_000),
    default: String(defaultLimits.filesPerImport),
    description: 'maximum number of files in one import, at most 100000',
  },
  zipEntries: {
    variable: 'DENTARIUM_IMPORT_ZIP_ENTRIES',
    schema: count(1_000_000),
    default: String(defaultLimits.zipEntries),
    description: 'maximum number of entries in a zip, at most 1000000',
  },
  zipGb: {
    variable: 'DENTARIUM_IMPORT_ZIP_GB',
    schema: amount(0.001, 10_000),
    default: String(defaultLimits.zipBytes / gigabyte),
    description: 'maximum unpacked size of a zip',
  },
  zipRatio: {
    variable: 'DENTARIUM_IMPORT_ZIP_RATIO',
    schema: amount(1, 10_000),
    default: String(defaultLimits.zipRatio),
    description: 'maximum compression ratio of a zip entry',
  },
  zipDepth: {
    variable: 'DENTARIUM_IMPORT_ZIP_DEPTH',
    schema: count(10),
    default: String(defaultLimits.zipDepth),
    description: 'nesting of zips, at most 10; 1 means no zip inside a zip',
  },
  folderDepth: {
    variable: 'DENTARIUM_IMPORT_FOLDER_DEPTH',
    schema: count(100),
    default: String(defaultLimits.folderDepth),
    description: 'nesting of folders, at most 100',
  },
  partMb: {
    variable: 'DENTARIUM_IMPORT_PART_MB',
    schema: amount(0.25, 1024),
    default: String(defaultLimits.partBytes / megabyte),
    description: 'larger files are uploaded in parts of this size, so that an upload can resume; 0.25 to 1024',
  },
  keepDays: {
    variable: 'DENTARIUM_IMPORT_KEEP_DAYS',
    schema: amount(0, 36_500),
    default: String(defaultRetention.keepMs / dayMs),
    description:
      'failed and cancelled imports, and files of finished imports that are not images, are removed after this',
  },
  orphanHours: {
    variable: 'DENTARIUM_IMPORT_ORPHAN_HOURS',
    schema: amount(1, 24 * 365),
    default: String(defaultRetention.orphanMs / hourMs),
    description: 'stored files without a database record are moved to quarantine after this; at least 1',
  },
  quarantineDays: {
    variable: 'DENTARIUM_QUARANTINE_DAYS',
    // Long enough to notice a mistaken restore.
    schema: z.coerce.number().int().min(30).max(36_500),
    default: String(defaultRetention.quarantineDays),
    description: 'files in quarantine are deleted after this; at least 30',
  },
  reserveGb: {
    variable: 'DENTARIUM_DISK_RESERVE_GB',
    schema: amount(0, 100_000).optional(),
    defaultNote: '2 % of the disk, at least 0.06, at most 2',
    description:
      'imports stop when less would be free on the disk of the data folder, so that the database, sign-in and viewing go on',
  },
} satisfies Settings;

/**
 * Reads the limits and retention periods, with defaults.
 * @throws StartupError naming the first invalid variable
 */
export const readImportSettings = (environment: Environment): ImportSettings => {
  const values = readSettings(environment, importVariables);
  return {
    limits: {
      fileBytes: Math.round(values.fileMb * megabyte),
      filesPerImport: values.files,
      zipEntries: values.zipEntries,
      zipBytes: Math.round(values.zipGb * gigabyte),
      zipRatio: values.zipRatio,
      zipDepth: values.zipDepth,
      folderDepth: values.folderDepth,
      partBytes: Math.round(values.partMb * megabyte),
      aws: defaultLimits.aws,
    },
    retention: {
      orphanMs: Math.round(values.orphanHours * hourMs),
      keepMs: Math.round(values.keepDays * dayMs),
      quarantineDays: values.quarantineDays,
    },
    reservedBytes: values.reserveGb === undefined ? null : Math.round(values.reserveGb * gigabyte),
  };
};
