import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../contract/images.ts';

/** Returns the label of an object without a picture: a document, a video, or an image whose format is not supported. */
export const useDocumentText = () => {
  const { t } = useTranslation('patient');
  return ({ width, isVideo }: Pick<ImageInfo, 'width' | 'isVideo'>): string => {
    if (isVideo) return t('video');
    return t(width > 0 ? 'unsupportedFormat' : 'document');
  };
};
