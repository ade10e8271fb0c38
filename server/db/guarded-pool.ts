import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { asUnavailable } from './database-unavailable.ts';

const guarded = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    throw asUnavailable(error);
  }
};

/** Wraps a pool for Kysely, so that connection errors of the driver are thrown as DatabaseUnavailable. */
export const guardedPool = (pool: pg.Pool): PostgresPool => {
  // Kysely identifies a connection by its client, so a client always gets the same wrapper.
  const guards = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  const guardOf = (client: pg.PoolClient): PostgresPoolClient => {
    const known = guards.get(client);
    if (known) return known;
    // The second form takes a cursor, which is not used here.
    const guard = {
      query: (text: string, values: unknown[]) => guarded(client.query(text, values)),
      release: (destroy?: boolean) => client.release(destroy),
    } as unknown as PostgresPoolClient;
    guards.set(client, guard);
    return guard;
  };

  return {
    options: pool.options,
    connect: async () => guardOf(await guarded(pool.connect())),
    end: () => pool.end(),
  };
};
