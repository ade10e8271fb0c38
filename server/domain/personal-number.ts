/** Swedish YYMMDD-NNNN; coordination numbers add 60 to the day. `+` instead of `-` means aged 100 or more. */
const short = /^(\d{2})(\d{2})(\d{2})([-+]?)(\d{4})$/;

const isDate = (month: number, day: number): boolean =>
  month >= 1 && month <= 12 && ((day >= 1 && day <= 31) || (day >= 61 && day <= 91));

/** Danish numbers start with the birth date; a known birth date resolves the century where the digits do not. */
const isDayFirst = (digits: string, birthDate: string | null): boolean =>
  birthDate !== null && digits === `${birthDate.slice(8, 10)}${birthDate.slice(5, 7)}${birthDate.slice(2, 4)}`;

/** Returns the century of a two-digit year: that of the birth date if it matches, otherwise the latest one not in the future. */
const centuryOf = (year: number, centenarian: boolean, birthDate: string | null, today: Date): number => {
  if (birthDate && Number(birthDate.slice(2, 4)) === year) return Number(birthDate.slice(0, 2));
  const thisYear = today.getUTCFullYear();
  const latest = Math.floor(thisYear / 100) - (year > thisYear % 100 ? 1 : 0);
  return centenarian ? latest - 1 : latest;
};

/**
 * Returns the search key of a personal number: letters and digits only, a ten-digit Swedish number with its century (`800101-1234` ->
 * `198001011234`). Foreign and reserve numbers keep their digits.
 */
export const personalNumberKey = (text: string, birthDate: string | null, today: Date = new Date()): string => {
  const written = text.trim().replace(/\s+/g, '');
  const [, year = '', month = '', day = '', sign = '', rest = ''] = short.exec(written) ?? [];
  if (year && isDate(Number(month), Number(day)) && !isDayFirst(`${year}${month}${day}`, birthDate)) {
    return `${centuryOf(Number(year), sign === '+', birthDate, today)}${year}${month}${day}${rest}`;
  }
  return written.replace(/[^\p{L}\p{N}]+/gu, '').toUpperCase();
};
