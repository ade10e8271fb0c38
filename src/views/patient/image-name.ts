import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../contract/images.ts';
import { useToothText } from '../language/tooth-notation.ts';

/** The name of an image for a person: its teeth, its own name, or its number. */
export const useImageName = (): ((image: ImageInfo) => string) => {
  const { t } = useTranslation('patient');
  const toothText = useToothText();
  return (image) =>
    toothText(image.teeth) || image.name.trim() || t('imageNumber', { number: image.number ?? image.order });
};
