import { type RawBuilder, sql } from 'kysely';

/** Days `YYYY-MM-DD`, both inclusive; absent: unbounded. */
export interface DateRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Null when unbounded: then rows without a day match too. */
export const isWithin = (day: RawBuilder<unknown>, { from, to }: DateRange): RawBuilder<boolean> | null => {
  if (from === undefined && to === undefined) return null;
  if (from === undefined) return sql<boolean>`${day} <= ${to}::date`;
  return to === undefined
    ? sql<boolean>`${day} >= ${from}::date`
    : sql<boolean>`${day} between ${from}::date and ${to}::date`;
};

/** Midnight at which a day of Europe/Stockholm starts, plus `plus` days. */
export const midnight = (day: string, plus: 0 | 1) =>
  sql<Date>`((${day}::date + ${plus}::integer)::timestamp at time zone 'Europe/Stockholm')`;
