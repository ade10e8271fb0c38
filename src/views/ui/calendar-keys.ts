import dayjs from 'dayjs';

const format = 'YYYY-MM-DD';

/** Clamps a date `YYYY-MM-DD` to the limits. */
export const within = (day: string, min: string | undefined, max: string | undefined): string => {
  if (max !== undefined && day > max) return max;
  return min !== undefined && day < min ? min : day;
};

/** Returns the date that a key moves to: by day, week, ends of the week, month, and with Shift by year; null for other keys. */
export const dayByKey = (day: string, key: string, withShift: boolean): string | null => {
  const from = dayjs(day);
  const unit = withShift ? 'year' : 'month';
  // Weeks begin on Monday.
  const weekday = (from.day() + 6) % 7;
  const steps: Readonly<Record<string, () => dayjs.Dayjs>> = {
    ArrowLeft: () => from.subtract(1, 'day'),
    ArrowRight: () => from.add(1, 'day'),
    ArrowUp: () => from.subtract(1, 'week'),
    ArrowDown: () => from.add(1, 'week'),
    Home: () => from.subtract(weekday, 'day'),
    End: () => from.add(6 - weekday, 'day'),
    PageUp: () => from.subtract(1, unit),
    PageDown: () => from.add(1, unit),
  };
  return steps[key]?.().format(format) ?? null;
};
