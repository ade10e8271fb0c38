import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { countFaultyImages } from '../db/stores/file-errors.ts';
import type { WarningSource } from '../system-status/system-status-routes.ts';

/** Warns administrators while images have a damaged or missing file. */
export const fileErrorWarnings =
  (db: Kysely<Schema>): WarningSource =>
  async () => {
    const found = await countFaultyImages(db);
    if (!found) return [];
    const { since, damaged, missing } = found;
    return [{ kind: 'damaged-files', since: since.toISOString(), damaged, missing }];
  };
