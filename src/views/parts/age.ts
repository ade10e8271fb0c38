import dayjs from 'dayjs';

/** Whole years and whole months between two calendar dates `YYYY-MM-DD`; null when either is missing or lies wrong. */
export const ageAt = (birthDate: string | null, day: string): { years: number; months: number } | null => {
  if (!birthDate) return null;
  const months = dayjs(day.slice(0, 10)).diff(dayjs(birthDate), 'month');
  return Number.isFinite(months) && months >= 0 ? { years: Math.floor(months / 12), months: months % 12 } : null;
};

/** Today in the clinic's own calendar, `YYYY-MM-DD`. */
export const today = (now = new Date()): string => dayjs(now).format('YYYY-MM-DD');
