import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from './client.ts';
import { asUnavailable, isDatabaseUnavailable } from './database-unavailable.ts';
import type { Schema } from './schema.ts';

/** Distributes change events to all nodes through PostgreSQL NOTIFY. */
export interface Backplane {
  /** At most 7,900 bytes. @throws RangeError when longer */
  publish(payload: string): Promise<void>;
  close(): Promise<void>;
}

const channel = 'dentarium_hub';

/** Publishes to all nodes with the commit of a transaction. At most 7,900 bytes. */
export const publishWithCommit = async (transaction: Transaction<Schema>, payload: string): Promise<void> => {
  await sql`select pg_notify(${channel}, ${payload})`.execute(transaction);
};

interface BackplaneHandlers {
  readonly onMessage: (payload: string) => void;
  /** Listening was interrupted, or a node could not publish: events may be lost. */
  readonly onGap: () => void;
}

/** PostgreSQL rejects payloads of 8,000 bytes or more. */
const maxPayloadBytes = 7_900;
const retryMilliseconds = 500;
const connectionTimeoutMillis = 10_000;
/** Published after events were lost: each node then lets its clients refetch. */
const gapPayload = '';

interface Listening {
  readonly client: pg.Client;
  /** Resolves when the connection is lost or closed. */
  readonly ended: Promise<void>;
}

const listen = async (address: pg.ClientConfig, handlers: BackplaneHandlers): Promise<Listening> => {
  const client = new pg.Client({ ...address, keepAlive: true, connectionTimeoutMillis });
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  client.on('notification', ({ payload }) => (payload ? handlers.onMessage(payload) : handlers.onGap()));
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    return { client, ended };
  } catch (error) {
    void client.end().catch(() => undefined);
    throw asUnavailable(error);
  }
};

export const openBackplane = async ({ address, pool }: Database, handlers: BackplaneHandlers): Promise<Backplane> => {
  const closed = new AbortController();
  const notify = (payload: string) => pool.query('select pg_notify($1, $2)', [channel, payload]);
  const waitToRetry = () => pause(retryMilliseconds, undefined, { signal: closed.signal }).catch(() => undefined);
  let listening = await listen(address, handlers);
  let announcing: Promise<void> | null = null;

  const keepListening = async (): Promise<void> => {
    for (;;) {
      await listening.ended;
      for (let next: Listening | null = null; next === null; ) {
        if (closed.signal.aborted) return;
        next = await listen(address, handlers).catch(() => null);
        if (next) listening = next;
        else await waitToRetry();
      }
      // `close()` was called while connecting.
      if (closed.signal.aborted) await listening.client.end().catch(() => undefined);
      handlers.onGap();
    }
  };

  const announceGap = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      const isSent = await notify(gapPayload).then(
        () => true,
        () => false,
      );
      if (isSent) break;
      await waitToRetry();
    }
    announcing = null;
  };

  const running = keepListening();
  return {
    publish: async (payload) => {
      if (Buffer.byteLength(payload) > maxPayloadBytes)
        throw new RangeError('event is too long: it may contain ids only');
      try {
        await notify(payload);
      } catch (error) {
        const failure = asUnavailable(error);
        if (isDatabaseUnavailable(failure)) announcing ??= announceGap();
        throw failure;
      }
    },
    close: async () => {
      closed.abort();
      await listening.client.end().catch(() => undefined);
      await running;
      await announcing;
    },
  };
};
