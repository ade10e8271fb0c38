/** A DICOM date (DA: YYYYMMDD, or YYYY.MM.DD of ACR-NEMA) as YYYY-MM-DD; null for an invalid date. */
export const isoDate = (value: string | null): string | null => {
  const match = /^(\d{4})[.-]?(\d\d)[.-]?(\d\d)$/.exec(value?.trim() ?? '');
  if (!match) return null;
  const [, year = '', month = '', day = ''] = match;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const real = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return real && Number(year) > 0 ? `${year}-${month}-${day}` : null;
};

/** A DICOM time (TM: HH, HHMM, HHMMSS, fractions dropped) as HH:MM:SS; null for an invalid time. */
export const isoTime = (value: string | null): string | null => {
  const match = /^(\d\d):?(\d\d)?:?(\d\d)?/.exec(value?.trim() ?? '');
  if (!match) return null;
  const [, hours = '', minutes = '00', seconds = '00'] = match;
  const real = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60;
  return real ? `${hours}:${minutes}:${seconds}` : null;
};
