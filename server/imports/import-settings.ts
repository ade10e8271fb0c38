import { z } from 'zod';
import type { ImportLimits } from '../../contract/uploads.ts';
import { StartRefused } from '../start-refused.ts';
import { defaultLimits } from './limits.ts';

/** How long what nobody needs any more is kept. */
export interface ImportKeeping {
  /** A stored file that no row names is removed when it is older than this. Far longer than any upload takes from its bytes to its row. */
  readonly orphanMs: number;
  /** Failed and cancelled imports, and of finished ones what is no image, stay this long. */
  readonly keepMs: number;
}

export interface ImportSettings {
  readonly limits: ImportLimits;
  readonly keeping: ImportKeeping;
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;

export const defaultKeeping: ImportKeeping = { orphanMs: dayMs, keepMs: 7 * dayMs };

const count = (most: number) => z.coerce.number().int().min(1).max(most).optional();
const amount = (least: number, most: number) => z.coerce.number().min(least).max(most).optional();

const settings = {
  /** A file is decoded whole, and Node reads no file of 2 GiB and more at once. */
  DENTARIUM_IMPORT_FILE_MB: amount(1, 2047),
  DENTARIUM_IMPORT_FILES: count(100_000),
  DENTARIUM_IMPORT_ZIP_ENTRIES: count(1_000_000),
  DENTARIUM_IMPORT_ZIP_GB: amount(0.001, 10_000),
  DENTARIUM_IMPORT_ZIP_RATIO: amount(1, 10_000),
  DENTARIUM_IMPORT_ZIP_DEPTH: count(10),
  DENTARIUM_IMPORT_FOLDER_DEPTH: count(100),
  DENTARIUM_IMPORT_PART_MB: amount(0.25, 1024),
  DENTARIUM_IMPORT_KEEP_DAYS: amount(0, 36_500),
  DENTARIUM_IMPORT_ORPHAN_HOURS: amount(1, 24 * 365),
};

/**
 * The limits and periods that the environment names; the defaults where it says nothing.
 * @throws StartRefused naming the first variable that is wrong
 */
export const readImportSettings = (environment: Readonly<Record<string, string | undefined>>): ImportSettings => {
  const given = Object.keys(settings).flatMap((name) => (environment[name] ? [[name, environment[name]]] : []));
  const result = z.object(settings).safeParse(Object.fromEntries(given));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new StartRefused(`Setting ${String(issue?.path[0])}: ${issue?.message ?? 'not valid'}`);
  }
  const said = result.data;
  const bytes = (value: number | undefined, unit: number, usual: number) =>
    value === undefined ? usual : Math.round(value * unit);
  return {
    limits: {
      fileBytes: bytes(said.DENTARIUM_IMPORT_FILE_MB, megabyte, defaultLimits.fileBytes),
      filesPerImport: said.DENTARIUM_IMPORT_FILES ?? defaultLimits.filesPerImport,
      zipEntries: said.DENTARIUM_IMPORT_ZIP_ENTRIES ?? defaultLimits.zipEntries,
      zipBytes: bytes(said.DENTARIUM_IMPORT_ZIP_GB, gigabyte, defaultLimits.zipBytes),
      zipRatio: said.DENTARIUM_IMPORT_ZIP_RATIO ?? defaultLimits.zipRatio,
      zipDepth: said.DENTARIUM_IMPORT_ZIP_DEPTH ?? defaultLimits.zipDepth,
      folderDepth: said.DENTARIUM_IMPORT_FOLDER_DEPTH ?? defaultLimits.folderDepth,
      partBytes: bytes(said.DENTARIUM_IMPORT_PART_MB, megabyte, defaultLimits.partBytes),
      aws: defaultLimits.aws,
    },
    keeping: {
      orphanMs: bytes(said.DENTARIUM_IMPORT_ORPHAN_HOURS, hourMs, defaultKeeping.orphanMs),
      keepMs: bytes(said.DENTARIUM_IMPORT_KEEP_DAYS, dayMs, defaultKeeping.keepMs),
    },
  };
};
