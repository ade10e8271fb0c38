import { type RawBuilder, sql } from 'kysely';

/** The time of the database in so many seconds. */
export const secondsFromNow = (seconds: number): RawBuilder<Date> =>
  sql<Date>`now() + make_interval(secs => ${seconds}::float8)`;
