import { useTranslation } from 'react-i18next';

interface CountText {
  /** How many rows a list has; "10 000+" where the archive stopped counting. */
  (counted: { readonly totalCount: number; readonly isTotalExact: boolean }): string;
  /** A number as the reader's language writes it. */
  readonly number: (count: number) => string;
}

/** One of each language: they are slow to make. */
const formats = new Map<string, Intl.NumberFormat>();
const inWords = (count: number, language: string): string => {
  // No language of ours groups three digits.
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
