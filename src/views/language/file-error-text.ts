import { useTranslation } from 'react-i18next';
import type { FileError } from '../../../contract/images.ts';

/** Formats date and time in the current language. */
export const useMomentText = (): ((moment: string) => string) => {
  const { i18n } = useTranslation();
  return (moment) =>
    new Date(moment).toLocaleString(i18n.language === 'no' ? 'nb' : i18n.language, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
};

/** Returns what is wrong with an image's stored file and since when; null when nothing is. */
export const useFileErrorText = (): ((error: FileError | null) => string | null) => {
  const { t } = useTranslation('patient');
  const momentText = useMomentText();
  return (error) => error && t(`storage-${error.kind}`, { since: momentText(error.since) });
};
