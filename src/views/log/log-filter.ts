import dayjs from 'dayjs';
import { z } from 'zod';
import { accessAction, accessPattern, isPatternPeriod, maxPatternDays } from '../../../contract/access-log.ts';
import { dateOnly } from '../../../contract/bounds.ts';
import type { LogQuery } from '../app/app-context.tsx';
import { optional, readUrl, type UrlValues, withParams, writeUrl } from '../app/url-state.ts';

/** Filters of the log. They hold ids only: names and personal numbers must not appear in URLs. */
export const logSchema = {
  from: optional(dateOnly),
  to: optional(dateOnly),
  /** Id of a user. Saved links contain this name. */
  person: optional(z.guid()),
  patient: optional(z.guid()),
  action: optional(accessAction),
  clinic: optional(z.guid()),
  pattern: optional(accessPattern),
};
export type LogFilter = UrlValues<typeof logSchema>;

export const logPath = (filter: Partial<LogFilter> = {}): string => {
  const none = new URLSearchParams();
  return withParams('/log', writeUrl(logSchema, none, { ...readUrl(logSchema, none), ...filter }));
};

/** Returns true when the period ends before it begins. */
export const isBackwards = ({ from, to }: Pick<LogFilter, 'from' | 'to'>): boolean =>
  from !== null && to !== null && to < from;

/** Returns true when the period is too long, or open, for the pattern. */
export const needsPeriod = ({ pattern, from, to }: LogFilter): boolean =>
  pattern !== null && !isPatternPeriod(from, to);

const usualDays = 30;
const plusDays = (day: string, days: number): string => dayjs(day).add(days, 'day').format('YYYY-MM-DD');

/** Returns a period for a pattern that keeps the chosen days as far as possible; else the last 30 days. */
export const patternPeriod = (
  { from, to }: Pick<LogFilter, 'from' | 'to'>,
  today: string,
): { readonly from: string; readonly to: string } => {
  if (from !== null && to === null) {
    const last = plusDays(from, maxPatternDays - 1);
    return { from, to: last < today ? last : today };
  }
  const end = to ?? today;
  return { from: from !== null && isPatternPeriod(from, to) ? from : plusDays(end, 1 - usualDays), to: end };
};

/** @param everyClinic whether the user can choose a clinic; otherwise the server uses the user's own */
export const queryOf = (filter: LogFilter, everyClinic: boolean): LogQuery => ({
  ...(filter.from !== null && { from: filter.from }),
  ...(filter.to !== null && { to: filter.to }),
  ...(filter.person !== null && { accountId: filter.person }),
  ...(filter.patient !== null && { patientId: filter.patient }),
  ...(filter.action !== null && { action: filter.action }),
  ...(filter.pattern !== null && { pattern: filter.pattern }),
  ...(everyClinic && filter.clinic !== null && { customerId: filter.clinic }),
});
