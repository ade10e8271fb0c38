const units = ['Bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/** Bytes in decimal units (1 kB is 1000 bytes) with two decimals, written as `language` writes numbers. */
export const fileSize = (bytes: number, language: string): string => {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const number = new Intl.NumberFormat(language, {
    minimumFractionDigits: step === 0 ? 0 : 2,
    maximumFractionDigits: step === 0 ? 0 : 2,
  }).format(bytes / 1000 ** step);
  return `${number} ${units[step]}`;
};
