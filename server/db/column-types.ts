import type { ColumnType } from 'kysely';

/**
 * Column types for Kysely. `client.ts` reads `date` as a `YYYY-MM-DD` string, `bigint` as a number (byte counts stay below 2^53) and
 * `timestamptz` as a Date.
 */
export type Moment = ColumnType<Date, Date | string, Date | string>;
export type MomentByDefault = ColumnType<Date, Date | string | undefined, Date | string>;
export type Json<T> = ColumnType<T, string, string>;
export type JsonByDefault<T> = ColumnType<T, string | undefined, string>;
export type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
