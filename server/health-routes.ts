import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { DatabaseUnavailable } from './db/database-unavailable.ts';
import { ping } from './db/ping.ts';
import type { Schema } from './db/schema.ts';
import { StorageError } from './storage/file-store.ts';

/** Shorter than the timeout of a typical load balancer. */
const maxMs = 3_000;
const ok = { status: 'ok' };

interface HealthDependencies {
  readonly db: Kysely<Schema>;
  readonly isFolderAvailable: () => boolean;
}

/**
 * Registers `/health/live` (the process runs, whatever the state of the database; for restart probes) and `/health/ready`, `/health` (503 while the
 * database or the files folder is unavailable, so that a load balancer uses another node).
 */
export const healthRoutes = (server: FastifyInstance, { db, isFolderAvailable }: HealthDependencies): void => {
  const ready = async () => {
    const timeout = new AbortController();
    const query = ping(db);
    query.catch(() => undefined);
    try {
      const late = pause(maxMs, undefined, { ref: false, signal: timeout.signal }).then(() => {
        throw new DatabaseUnavailable(new Error(`no answer within ${maxMs} ms`));
      });
      late.catch(() => undefined);
      await Promise.race([query, late]);
      if (!isFolderAvailable()) throw new StorageError('away', 'the files folder is not available');
      return ok;
    } finally {
      timeout.abort();
    }
  };
  server.get('/health/live', async () => ok);
  server.get('/health/ready', ready);
  server.get('/health', ready);
};
