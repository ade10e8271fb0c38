import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';

/** Type numbers of PostgreSQL's catalogue (pg_type.oid). */
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
  /** For connections that live outside the pool (LISTEN). */
  readonly address: Address;
  close(): Promise<void>;
}

/** A pool of connections and Kysely on top. `date` reads as `YYYY-MM-DD`, `bigint` as a number, `timestamptz` as a Date. */
export const connect = (address: Address, connections = 10): Database => {
  const pool = new pg.Pool({ ...address, max: connections, types });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, address, close: () => db.destroy() };
};
