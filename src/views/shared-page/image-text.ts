import { useTranslation } from 'react-i18next';
import type { SharedImage } from '../../../contract/shared-links.ts';
import { useModalityName } from '../language/modality-name.tsx';
import { useToothText } from '../language/tooth-notation.ts';

/** Returns kind, teeth and date of an image. */
export const useImageText = () => {
  const { t } = useTranslation('shared');
  const modalityName = useModalityName();
  const toothText = useToothText();
  return ({ modality, teeth, date }: SharedImage) => ({
    kind: modalityName(modality),
    teeth: teeth.length > 0 ? t('teeth', { count: teeth.length, teeth: toothText(teeth) }) : null,
    date: date ?? t('noDate'),
  });
};
