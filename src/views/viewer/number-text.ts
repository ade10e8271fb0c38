import { useTranslation } from 'react-i18next';

/** Numbers as the reader writes them: at most `digits` behind the comma. */
export const useNumberText = () => {
  const { i18n } = useTranslation();
  return (value: number, digits = 0): string =>
    new Intl.NumberFormat(i18n.language, { maximumFractionDigits: digits, useGrouping: false }).format(
      // No minus before a zero.
      Math.round(value * 10 ** digits) === 0 ? 0 : value,
    );
};

/** Values of a picture: whole ones whole, and small ones with as many digits as tell them apart. */
export const useValueText = (range: { readonly low: number; readonly high: number }) => {
  const numberText = useNumberText();
  const span = Math.max(range.high - range.low, 1e-6);
  const digits = span >= 64 ? 0 : Math.min(6, Math.ceil(2 - Math.log10(span)));
  return (value: number): string => numberText(value, digits);
};
