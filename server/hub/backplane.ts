import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../db/client.ts';

/** Carries news from the node where it happened to every node, over PostgreSQL's NOTIFY. */
export interface Backplane {
  /** At most 7,900 bytes. @throws RangeError when longer */
  publish(payload: string): Promise<void>;
  close(): Promise<void>;
}

interface Ears {
  readonly onNews: (payload: string) => void;
  /** Listening was interrupted and goes on: what was said in between is lost. */
  readonly onGap: () => void;
}

const channel = 'dentarium_hub';
/** PostgreSQL refuses payloads of 8,000 bytes and more. */
const longestPayload = 7_900;
const retryMilliseconds = 500;

const listen = async (address: pg.ClientConfig, ears: Ears, signal: AbortSignal): Promise<pg.Client> => {
  const client = new pg.Client({ ...address, keepAlive: true });
  client.on('notification', ({ payload }) => ears.onNews(payload ?? ''));
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`listen ${channel}`);
  signal.addEventListener('abort', () => void client.end().catch(() => undefined), { once: true });
  return client;
};

export const openBackplane = async ({ address, pool }: Database, ears: Ears): Promise<Backplane> => {
  const closed = new AbortController();
  const ended = (client: pg.Client) => new Promise<void>((resolve) => client.once('end', () => resolve()));
  const first = await listen(address, ears, closed.signal);

  const keepListening = async (): Promise<void> => {
    let end: Promise<void> = ended(first);
    while (!closed.signal.aborted) {
      await end;
      if (closed.signal.aborted) return;
      const client = await listen(address, ears, closed.signal).catch(() => null);
      if (client) {
        end = ended(client);
        ears.onGap();
      } else await pause(retryMilliseconds, undefined, { ref: false });
    }
  };
  const listening = keepListening();
  return {
    publish: async (payload) => {
      if (Buffer.byteLength(payload) > longestPayload) throw new RangeError('news is too long: it may hold ids only');
      await pool.query('select pg_notify($1, $2)', [channel, payload]);
    },
    close: async () => {
      closed.abort();
      await listening;
    },
  };
};
