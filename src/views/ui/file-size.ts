const units = ['Bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/** Cached, because creating a formatter is slow and rows need several per second. */
const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (language: string, digits: number): Intl.NumberFormat => {
  const key = `${language}/${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(key, made);
  return made;
};

/** Formats bytes in decimal units (1 kB is 1000 bytes) with two decimals. */
export const fileSize = (bytes: number, language: string): string => {
  const last = units.length - 1;
  let step = bytes < 1 ? 0 : Math.min(last, Math.floor(Math.log10(bytes) / 3));
  // A value that would round up to 1000.00 uses the next unit.
  if (step > 0 && step < last && bytes / 1000 ** step >= 999.995) step += 1;
  return `${formatOf(language, step === 0 ? 0 : 2).format(bytes / 1000 ** step)} ${units[step]}`;
};
