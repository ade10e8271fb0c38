import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { manyRefused } from '../db/stores/access-log-pages.ts';
import type { WarningSource } from '../system-status/system-status-routes.ts';

/** Warns administrators about accounts and addresses that are refused often. */
export const refusedWarnings =
  (db: Kysely<Schema>): WarningSource =>
  async () => {
    const found = await manyRefused(db);
    return found ? [{ kind: 'refused-access' as const, ...found, since: found.since.toISOString() }] : [];
  };
