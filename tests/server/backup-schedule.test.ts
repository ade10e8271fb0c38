import { describe, expect, it } from 'vitest';
import { nextBackupAt } from '../../server/backup/schedule.ts';

const at = { hour: 2, minute: 30 };
const never = { goodAt: null, failedAt: null, failures: 0 };
const day = (text: string) => new Date(text);

describe('the next automatic backup', () => {
  it('is due at once when there was none since the time of day', () => {
    expect(nextBackupAt(day('2026-11-24T14:00'), at, never)).toEqual(day('2026-11-24T02:30'));
    expect(nextBackupAt(day('2026-11-24T01:00'), at, never)).toEqual(day('2026-11-23T02:30'));
    const beforeYesterday = { ...never, goodAt: day('2026-11-22T02:30') };
    expect(nextBackupAt(day('2026-11-24T01:00'), at, beforeYesterday)).toEqual(day('2026-11-23T02:30'));
  });

  it('follows a good one on the next day, or on the same day before the time of day', () => {
    const goodAt = (text: string) => ({ ...never, goodAt: day(text) });
    expect(nextBackupAt(day('2026-11-24T03:00'), at, goodAt('2026-11-24T02:30:05'))).toEqual(day('2026-11-25T02:30'));
    expect(nextBackupAt(day('2026-11-24T01:00'), at, goodAt('2026-11-23T20:00'))).toEqual(day('2026-11-24T02:30'));
    expect(nextBackupAt(day('2026-12-31T23:00'), at, goodAt('2026-12-31T03:00'))).toEqual(day('2027-01-01T02:30'));
  });

  it('is retried after a failure, later each time, at most an hour later', () => {
    const now = day('2026-11-24T04:00');
    const after = (failures: number) => nextBackupAt(now, at, { goodAt: null, failedAt: now, failures });
    expect([1, 2, 3, 5, 100].map((failures) => (after(failures).getTime() - now.getTime()) / 60_000)).toEqual([
      5, 10, 20, 60, 60,
    ]);
  });
});
