import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { mailFailures } from '../db/stores/mail-queue.ts';
import type { WarningSource } from '../system-status/system-status-routes.ts';

/** Warns administrators about messages that were not delivered. */
export const mailWarnings =
  (db: Kysely<Schema>): WarningSource =>
  async () => {
    const found = await mailFailures(db);
    return found ? [{ kind: 'mail-failing' as const, ...found, since: found.since.toISOString() }] : [];
  };
