/** Time of day, local time of the server. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** Runs of a folder of backups, as far as the next one depends on them. */
export interface ScheduleHistory {
  /** Start of the newest good run. */
  readonly goodAt: Date | null;
  /** End of the newest run when it failed. */
  readonly failedAt: Date | null;
  /** Failed runs since the newest good one. */
  readonly failures: number;
}

const firstRetryMs = 5 * 60_000;
const maxRetryMs = 60 * 60_000;

const onDay = (day: Date, { hour, minute }: TimeOfDay, daysLater = 0): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater, hour, minute);

/** Returns when the next backup is due; in the past when it is due now, also for a time at which no server ran. */
export const nextBackupAt = (now: Date, at: TimeOfDay, { goodAt, failedAt, failures }: ScheduleHistory): Date => {
  const today = onDay(now, at);
  const latest = today <= now ? today : onDay(now, at, -1);
  if (goodAt && goodAt >= latest) return today <= now ? onDay(now, at, 1) : today;
  if (!failedAt) return latest;
  const retryMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 10));
  return new Date(Math.max(latest.getTime(), failedAt.getTime() + retryMs));
};
