import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GalleryImage } from '../../../contract/gallery.ts';
import type { ThumbnailLabels } from '../ui/lazy-thumbnail.tsx';

/** Formats a timestamp as `YYYY-MM-DD hh:mm:ss`; a date without time stays a date. */
const momentText = (moment: string) => moment.slice(0, 19).replace('T', ' ');

/** Returns the acquisition time, else the study date, else ''. */
export const takenText = ({ imageAcquiredDate, studyDate }: GalleryImage): string =>
  momentText(imageAcquiredDate ?? studyDate ?? '');

const two = (number: number) => String(number).padStart(2, '0');

/** Returns the upload time in the browser's time zone as `YYYY-MM-DD hh:mm:ss`. */
export const uploadText = ({ uploadedAt }: GalleryImage): string => {
  const at = new Date(uploadedAt);
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
};

/** Returns a short description: patient, date and kind of image. */
export const imageText = (image: GalleryImage): string =>
  [image.patientName, takenText(image).slice(0, 10), image.name].filter(Boolean).join(', ');

export const useImageTexts = (): ThumbnailLabels => {
  const { t } = useTranslation('patient');
  return useMemo(
    () => ({ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') }),
    [t],
  );
};
