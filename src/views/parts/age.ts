/** Whole years and whole months between two calendar dates `YYYY-MM-DD`; null when either is missing or lies wrong. */
export const ageAt = (birthDate: string | null, day: string): { years: number; months: number } | null => {
  if (!birthDate) return null;
  const born = birthDate.split('-').map(Number);
  const then = day.slice(0, 10).split('-').map(Number);
  const [bornYear = Number.NaN, bornMonth = Number.NaN, bornDay = Number.NaN] = born;
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = then;
  const months = (year - bornYear) * 12 + (month - bornMonth) - (date < bornDay ? 1 : 0);
  return Number.isFinite(months) && months >= 0 ? { years: Math.floor(months / 12), months: months % 12 } : null;
};

/** Today in the clinic's own calendar, `YYYY-MM-DD`. */
export const today = (now = new Date()): string =>
  `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
