import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { asUnavailable } from './database-unavailable.ts';

const withConnectionErrors = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    throw asUnavailable(error);
  }
};

/** Wraps a pool for Kysely, so that connection errors of the driver are thrown as DatabaseUnavailable. */
export const guardedPool = (pool: pg.Pool): PostgresPool => {
  // Kysely identifies a connection by its client, so a client always gets the same wrapper.
  const wrappers = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  const wrapperOf = (client: pg.PoolClient): PostgresPoolClient => {
    const existing = wrappers.get(client);
    if (existing) return existing;
    // Kysely passes a cursor to `query` only for streams, which are not used here.
    const wrapper = {
      query: (text: string, values: unknown[]) => withConnectionErrors(client.query(text, values)),
      release: (destroy?: boolean) => client.release(destroy),
    } as unknown as PostgresPoolClient;
    wrappers.set(client, wrapper);
    return wrapper;
  };

  return {
    options: pool.options,
    connect: async () => wrapperOf(await withConnectionErrors(pool.connect())),
    end: () => pool.end(),
  };
};
