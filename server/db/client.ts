import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { guardedPool } from './guarded-pool.ts';
import type { Schema } from './schema.ts';

/** Type ids of PostgreSQL's catalogue (pg_type.oid). */
const bigint = 20;
const date = 1082;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === bigint) return Number;
    if (format !== 'binary' && oid === date) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  },
};

export interface Address {
  readonly host?: string;
  readonly user?: string;
  readonly database?: string;
  readonly connectionString?: string;
}

export interface Database {
  readonly db: Kysely<Schema>;
  readonly pool: pg.Pool;
  /** For connections outside the pool, which keep a session (LISTEN, advisory locks). */
  readonly address: Address;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Most connections of the pool. */
  readonly connections?: number | undefined;
  /** Address of the same database for sessions, where the pool's leads through a pooler. */
  readonly direct?: Address | undefined;
}

export const defaultConnections = 10;

/** Longer than any burst of calls occupies all connections. */
const connectionTimeoutMillis = 15_000;

/**
 * Creates a connection pool with Kysely. `date` reads as `YYYY-MM-DD`, `bigint` as a number, `timestamptz` as a Date. Queries throw
 * DatabaseUnavailable when the connection is lost; later ones reconnect.
 */
export const connect = (
  address: Address,
  { connections = defaultConnections, direct = address }: ConnectOptions = {},
): Database => {
  const pool = new pg.Pool({ ...address, max: connections, types, connectionTimeoutMillis, keepAlive: true });
  // The pool replaces broken connections, but without a listener their error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: guardedPool(pool) }) });
  return { db, pool, address: direct, close: () => db.destroy() };
};
