import { useTranslation } from 'react-i18next';

const named = [
  'Control',
  'Shift',
  'Backspace',
  'Enter',
  'Escape',
  'PageUp',
  'PageDown',
  'Space',
  'Delete',
  'Arrows',
] as const;
const isNamed = (key: string): key is (typeof named)[number] => named.some((name) => name === key);

/** A key or a chord ("Control+Shift+Z") as it is printed on the keyboard of the reader. */
export const useKeyText = () => {
  const { t } = useTranslation('viewer');
  return (shortcut: string): string =>
    shortcut === '+'
      ? shortcut
      : shortcut
          .split('+')
          .map((key) => (isNamed(key) ? t(`key-${key}`) : key))
          .join(' + ');
};
