import { z } from 'zod';
import type { ImportLimits } from '../../contract/uploads.ts';
import { StartupError } from '../startup-error.ts';
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
  readonly keeping: ImportRetention;
  /** Null: `defaultReserve`. */
  readonly reservedBytes: number | null;
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;

export const defaultRetention: ImportRetention = { orphanMs: dayMs, keepMs: 7 * dayMs, quarantineDays: 30 };

const count = (most: number) => z.coerce.number().int().min(1).max(most).optional();
const amount = (least: number, most: number) => z.coerce.number().min(least).max(most).optional();

const settings = {
  /** A file is decoded in memory, and Node cannot read 2 GiB or more at once. */
  DENTARIUM_IMPORT_FILE_MB: amount(1, 2047),
  DENTARIUM_IMPORT_FILES: count(100_000),
  DENTARIUM_IMPORT_ZIP_ENTRIES: count(1_000_000),
  DENTARIUM_IMPORT_ZIP_GB: amount(0.001, 10_000),
  DENTARIUM_IMPORT_ZIP_RATIO: amount(1, 10_000),
  DENTARIUM_IMPORT_ZIP_DEPTH: count(10),
  DENTARIUM_IMPORT_FOLDER_DEPTH: count(100),
  DENTARIUM_DISK_RESERVE_GB: amount(0, 100_000),
  DENTARIUM_IMPORT_PART_MB: amount(0.25, 1024),
  DENTARIUM_IMPORT_KEEP_DAYS: amount(0, 36_500),
  DENTARIUM_IMPORT_ORPHAN_HOURS: amount(1, 24 * 365),
  /** Long enough to notice a mistaken restore. */
  DENTARIUM_QUARANTINE_DAYS: z.coerce.number().int().min(30).max(36_500).optional(),
};

/**
 * Reads the limits and retention periods from the environment, with defaults.
 * @throws StartupError naming the first invalid variable
 */
export const readImportSettings = (environment: Readonly<Record<string, string | undefined>>): ImportSettings => {
  const given = Object.keys(settings).flatMap((name) => (environment[name] ? [[name, environment[name]]] : []));
  const result = z.object(settings).safeParse(Object.fromEntries(given));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new StartupError(`Setting ${String(issue?.path[0])}: ${issue?.message ?? 'not valid'}`);
  }
  const values = result.data;
  const bytes = (value: number | undefined, unit: number, usual: number) =>
    value === undefined ? usual : Math.round(value * unit);
  return {
    limits: {
      fileBytes: bytes(values.DENTARIUM_IMPORT_FILE_MB, megabyte, defaultLimits.fileBytes),
      filesPerImport: values.DENTARIUM_IMPORT_FILES ?? defaultLimits.filesPerImport,
      zipEntries: values.DENTARIUM_IMPORT_ZIP_ENTRIES ?? defaultLimits.zipEntries,
      zipBytes: bytes(values.DENTARIUM_IMPORT_ZIP_GB, gigabyte, defaultLimits.zipBytes),
      zipRatio: values.DENTARIUM_IMPORT_ZIP_RATIO ?? defaultLimits.zipRatio,
      zipDepth: values.DENTARIUM_IMPORT_ZIP_DEPTH ?? defaultLimits.zipDepth,
      folderDepth: values.DENTARIUM_IMPORT_FOLDER_DEPTH ?? defaultLimits.folderDepth,
      partBytes: bytes(values.DENTARIUM_IMPORT_PART_MB, megabyte, defaultLimits.partBytes),
      aws: defaultLimits.aws,
    },
    keeping: {
      orphanMs: bytes(values.DENTARIUM_IMPORT_ORPHAN_HOURS, hourMs, defaultRetention.orphanMs),
      keepMs: bytes(values.DENTARIUM_IMPORT_KEEP_DAYS, dayMs, defaultRetention.keepMs),
      quarantineDays: values.DENTARIUM_QUARANTINE_DAYS ?? defaultRetention.quarantineDays,
    },
    reservedBytes:
      values.DENTARIUM_DISK_RESERVE_GB === undefined ? null : Math.round(values.DENTARIUM_DISK_RESERVE_GB * gigabyte),
  };
};
