import { useTranslation } from 'react-i18next';

const keys = [
  [['Arrows'], 'keyStep'],
  [['Home', 'End'], 'keyEnds'],
  [['Enter'], 'keyEnter'],
  [['T'], 'keyTray'],
  [['1', '18'], 'keyDigits'],
  [['U'], 'keyUnmount'],
  [['Control+X'], 'keyCut'],
  [['Control+V'], 'keyPaste'],
] as const;

/** The keys of the mount and its tray, for the list of all shortcuts. */
export const useMountShortcuts = () => {
  const { t } = useTranslation('viewset');
  return [{ title: t('keysMount'), shortcuts: keys.map(([names, text]) => ({ keys: names, text: t(text) })) }];
};
