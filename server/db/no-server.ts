import type { Address } from './client.ts';
import { lockClient, nodeLocks } from './node-locks.ts';

/** Thrown when a server uses the database. */
export class DatabaseServed extends Error {
  override readonly name = 'DatabaseServed';
}

const serving = [nodeLocks.space, nodeLocks.serving];

/** Returns whether a server uses the database. Changes nothing. */
export const isServed = async (address: Address): Promise<boolean> => {
  const client = await lockClient(address);
  try {
    const { rows } = await client.query<{ served: boolean }>(
      `select exists (select from pg_locks where locktype = 'advisory' and granted and classid = $1 and objid = $2
        and database = (select oid from pg_database where datname = current_database())) as served`,
      serving,
    );
    return rows[0]?.served ?? false;
  } finally {
    await client.end();
  }
};

/** Runs the work while no server uses the database; one that starts meanwhile waits. @throws DatabaseServed with the given sentence */
export const withServersExcluded = async <Result>(
  address: Address,
  sentence: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const client = await lockClient(address);
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', serving);
    if (!rows[0]?.locked) throw new DatabaseServed(sentence);
    return await work();
  } finally {
    await client.end();
  }
};
