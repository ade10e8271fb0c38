import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import { StartupError } from '../startup-error.ts';
import type { Address } from './client.ts';
import { lockClient, nodeLocks } from './node-locks.ts';

const { space, claiming, serving } = nodeLocks;

const storedName = 'public-url';
const pollMs = 250;

export interface PublicUrlClaim {
  close(): Promise<void>;
}

interface ClaimOptions {
  /** The connection was lost, and nodes with another URL took over meanwhile. */
  readonly onLost: (reason: StartupError) => void;
  /** How long the claims of nodes that have just ended may remain. */
  readonly waitMs?: number;
}

const storedUrl = async (client: pg.Client): Promise<string | null> => {
  const { rows } = await client.query('select value from seed_state where name = $1', [storedName]);
  return z
    .string()
    .nullable()
    .parse(rows[0]?.value ?? null);
};

const store = (client: pg.Client, url: string) =>
  client.query(
    'insert into seed_state (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [storedName, JSON.stringify(url)],
  );

/** Joins the running nodes. Returns their URL if it differs. */
const join = async (client: pg.Client, url: string): Promise<string | null> => {
  await client.query('select pg_advisory_lock($1, $2)', [space, claiming]);
  try {
    const stored = await storedUrl(client);
    if (stored === url) {
      await client.query('select pg_advisory_lock_shared($1, $2)', [space, serving]);
      return null;
    }
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as alone', [space, serving]);
    if (stored !== null && !rows[0].alone) return stored;
    await store(client, url);
    await client.query('select pg_advisory_lock_shared($1, $2)', [space, serving]);
    if (rows[0].alone) await client.query('select pg_advisory_unlock($1, $2)', [space, serving]);
    return null;
  } finally {
    await client.query('select pg_advisory_unlock($1, $2)', [space, claiming]);
  }
};

const endOf = (client: pg.Client) => new Promise<void>((resolve) => client.once('end', () => resolve()));

const conflictError = (theirs: string, own: string): StartupError =>
  new StartupError(
    `Another node serves this database at ${theirs} and this one has ${own}: give every node the same DENTARIUM_PUBLIC_URL, or stop all nodes before it is changed`,
  );

/**
 * Claims the public URL while this node is connected: tokens name it as their issuer, so nodes with different URLs would reject each other's
 * sign-ins. When no node is left, the next may use another URL.
 * @throws StartupError naming both URLs
 */
export const claimPublicUrl = async (
  address: Address,
  url: string,
  { onLost, waitMs = 5_000 }: ClaimOptions,
): Promise<PublicUrlClaim> => {
  const closed = new AbortController();

  /** @throws StartupError when other nodes hold another URL for `waitMs` */
  const claim = async (): Promise<pg.Client> => {
    const client = await lockClient(address);
    try {
      const until = Date.now() + waitMs;
      let theirs = await join(client, url);
      while (theirs !== null && Date.now() < until && !closed.signal.aborted) {
        await pause(pollMs);
        theirs = await join(client, url);
      }
      if (theirs === null) return client;
      throw conflictError(theirs, url);
    } catch (error) {
      await client.end();
      throw error;
    }
  };
  const claimAgain = async (): Promise<pg.Client> => {
    try {
      return await claim();
    } catch (error) {
      if (error instanceof StartupError || closed.signal.aborted) throw error;
      await pause(pollMs, undefined, { ref: false });
      return claimAgain();
    }
  };

  let client = await claim();
  let lost = endOf(client);
  const keep = async (): Promise<void> => {
    for (;;) {
      await lost;
      if (closed.signal.aborted) return;
      client = await claimAgain();
      lost = endOf(client);
      if (closed.signal.aborted) await client.end();
    }
  };
  const keeping = keep().catch((error: unknown) => {
    if (error instanceof StartupError && !closed.signal.aborted) onLost(error);
  });
  return {
    close: async () => {
      closed.abort();
      await client.end();
      await keeping;
    },
  };
};
