import { useTranslation } from 'react-i18next';

interface CountText {
  /** Formats the row count of a list; "10 000+" where the server stopped counting. */
  (counted: { readonly totalCount: number; readonly isTotalExact: boolean }): string;
  /** Formats a number for the current language. */
  readonly number: (count: number) => string;
}

/** Cached per language, because creating formatters is slow. */
const formats = new Map<string, Intl.NumberFormat>();
const inWords = (count: number, language: string): string => {
  // None of our languages groups numbers below 10,000.
  if (Number.isInteger(count) && count >= 0 && count < 1_000) return String(count);
  const format = formats.get(language) ?? new Intl.NumberFormat(language === 'no' ? 'nb' : language);
  formats.set(language, format);
  return format.format(count);
};

export const useCountText = (): CountText => {
  const { i18n } = useTranslation();
  const number = (count: number) => inWords(count, i18n.language);
  return Object.assign(
    ({ totalCount, isTotalExact }: { totalCount: number; isTotalExact: boolean }) =>
      number(totalCount) + (isTotalExact ? '' : '+'),
    { number },
  );
};
