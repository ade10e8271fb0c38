import pg from 'pg';
import type { Address } from './client.ts';

/**
 * PostgreSQL advisory locks between nodes, with their key space. `claiming`: held while a public URL is examined. `serving`: shared by
 * all running nodes. `preparing`: held while one node prepares the database for its first use. `backingUp`: held by a backup. `owningJobs`: held by the
 * node that runs the jobs of which one is enough.
 */
export const nodeLocks = {
  space: 1_145_392_724,
  claiming: 1,
  serving: 2,
  preparing: 3,
  backingUp: 4,
  owningJobs: 5,
} as const;

/** Opens a connection of its own: advisory locks belong to a connection and end with it. */
export const lockClient = async (address: Address): Promise<pg.Client> => {
  const client = new pg.Client({ ...address, keepAlive: true, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  // PostgreSQL detects within half a minute that this machine is gone, and frees its locks.
  for (const [name, value] of Object.entries({ idle: 10, interval: 5, count: 3 }))
    await client.query(`set tcp_keepalives_${name} = ${value}`);
  return client;
};

/** Runs the work while no other node prepares the same database; calls `onWait` when it has to wait for one. */
export const withPreparationLock = async <Result>(
  address: Address,
  work: () => Promise<Result>,
  onWait: () => void,
): Promise<Result> => {
  const client = await lockClient(address);
  const key = [nodeLocks.space, nodeLocks.preparing];
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as locked', key);
    if (!rows[0].locked) {
      onWait();
      await client.query('select pg_advisory_lock($1, $2)', key);
    }
    return await work();
  } finally {
    await client.end();
  }
};
