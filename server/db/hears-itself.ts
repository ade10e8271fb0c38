import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartupError } from '../startup-error.ts';
import type { Database } from './client.ts';
import { asUnavailable } from './database-unavailable.ts';

const direct = 'DENTARIUM_DATABASE_DIRECT_URL';
/** A notification takes milliseconds. */
const maxMs = 5_000;

/** Returns whether what the pool notifies arrives at the connection for sessions. */
const hearsItself = async ({ address, pool }: Database, waitMs: number): Promise<boolean> => {
  // A channel of its own: nodes of earlier versions take every message of the hub's for an event.
  const channel = `dentarium_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ ...address, connectionTimeoutMillis: waitMs });
  client.on('error', () => undefined);
  const over = new AbortController();
  try {
    await client.connect();
    const heard = new Promise<boolean>((resolve) => client.once('notification', () => resolve(true)));
    await client.query(`listen ${channel}`);
    await pool.query('select pg_notify($1, $2)', [channel, '']);
    const late = pause(waitMs, false, { signal: over.signal }).catch(() => false);
    return await Promise.race([heard, late]);
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    over.abort();
    await client.end().catch(() => undefined);
  }
};

/**
 * Makes sure that the connection for sessions keeps its session and leads to the database of the pool. Behind pgBouncer in transaction mode a
 * node would hear no events, and its advisory locks would stay with other nodes. @throws StartupError, DatabaseUnavailable
 */
export const ensureHearsItself = async (
  database: Database,
  {
    setting,
    hasDirect,
    waitMs = maxMs,
  }: { readonly setting: string; readonly hasDirect: boolean; readonly waitMs?: number },
): Promise<void> => {
  if (await hearsItself(database, waitMs)) return;
  throw new StartupError(
    hasDirect
      ? `${direct} does not hear what ${setting} notifies: both must name the same database, and ${direct} one without a pooler in transaction mode`
      : `${setting} leads through a pooler that keeps no sessions (pgBouncer in transaction mode): set ${direct} to the address of the PostgreSQL behind it`,
  );
};
