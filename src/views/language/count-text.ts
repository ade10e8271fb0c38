import { useTranslation } from 'react-i18next';

interface CountText {
  /** How many rows a list has; "10 000+" where the archive stopped counting. */
  (counted: { readonly totalCount: number; readonly isTotalExact: boolean }): string;
  /** A number as the reader's language writes it. */
  readonly number: (count: number) => string;
}

export const useCountText = (): CountText => {
  const { i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language === 'no' ? 'nb' : i18n.language);
  const number = (count: number) => format.format(count);
  return Object.assign(
    ({ totalCount, isTotalExact }: { totalCount: number; isTotalExact: boolean }) =>
      number(totalCount) + (isTotalExact ? '' : '+'),
    { number },
  );
};
