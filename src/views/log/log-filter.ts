import { z } from 'zod';
import { accessAction } from '../../../contract/access-log.ts';
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
};
export type LogFilter = UrlValues<typeof logSchema>;

export const logPath = (filter: Partial<LogFilter> = {}): string => {
  const none = new URLSearchParams();
  return withParams('/log', writeUrl(logSchema, none, { ...readUrl(logSchema, none), ...filter }));
};

/** Returns true when the period ends before it begins. */
export const isBackwards = ({ from, to }: Pick<LogFilter, 'from' | 'to'>): boolean =>
  from !== null && to !== null && to < from;

/** @param everyClinic whether the user can choose a clinic; otherwise the server uses the user's own */
export const queryOf = (filter: LogFilter, everyClinic: boolean): LogQuery => ({
  ...(filter.from !== null && { from: filter.from }),
  ...(filter.to !== null && { to: filter.to }),
  ...(filter.person !== null && { accountId: filter.person }),
  ...(filter.patient !== null && { patientId: filter.patient }),
  ...(filter.action !== null && { action: filter.action }),
  ...(everyClinic && filter.clinic !== null && { customerId: filter.clinic }),
});
