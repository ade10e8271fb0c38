import dayjs from 'dayjs';

/** Returns whole years and months between two dates `YYYY-MM-DD`; null when either is missing or they are out of order. */
export const ageAt = (birthDate: string | null, day: string): { years: number; months: number } | null => {
  if (!birthDate) return null;
  const months = dayjs(day.slice(0, 10)).diff(dayjs(birthDate), 'month');
  return Number.isFinite(months) && months >= 0 ? { years: Math.floor(months / 12), months: months % 12 } : null;
};

const clinicDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm' });

/** Returns today's date where the clinics are (Europe/Stockholm), `YYYY-MM-DD`: the server counts days there too. */
export const today = (now = new Date()): string => clinicDay.format(now);

const clinicTime = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm', timeStyle: 'short' });

/** Returns the time of day where the clinics are, `HH:mm`. */
export const timeOfDay = (now = new Date()): string => clinicTime.format(now);

/** Formats a moment as `YYYY-MM-DD HH:mm`. */
export const minuteText = (moment: string): string => dayjs(moment).format('YYYY-MM-DD HH:mm');
