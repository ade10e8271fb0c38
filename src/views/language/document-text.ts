import { useTranslation } from 'react-i18next';

/** Returns the label of an object without a picture: a document, or an image whose format is not supported. */
export const useDocumentText = () => {
  const { t } = useTranslation('patient');
  return ({ width }: { readonly width: number }): string => t(width > 0 ? 'unsupportedFormat' : 'document');
};
