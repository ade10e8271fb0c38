/**
 * Returns the birth date `YYYY-MM-DD` of a twelve-digit personal number (YYYYMMDDNNNN); in a coordination number the day is
 * increased by 60. Returns null for other forms and for dates that do not exist.
 */
export const birthDateOf = (personalNumber: string): string | null => {
  const digits = personalNumber.replaceAll(/[\s-]/g, '');
  if (!/^(19|20)\d{10}$/.test(digits)) return null;
  const [year, month, stated] = [digits.slice(0, 4), digits.slice(4, 6), Number(digits.slice(6, 8))];
  const day = String(stated > 60 ? stated - 60 : stated).padStart(2, '0');
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const text = `${year}-${month}-${day}`;
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : text;
};
