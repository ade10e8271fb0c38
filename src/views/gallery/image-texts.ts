import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GalleryImage } from '../../../contract/gallery.ts';
import type { PictureWords } from '../parts/passing-picture.tsx';

/** A moment as `YYYY-MM-DD hh:mm:ss`; a date alone stays a date. */
const momentText = (moment: string) => moment.slice(0, 19).replace('T', ' ');

/** When it was taken, as the device knew it, else the day of its study; empty when nobody knows. */
export const takenText = ({ imageAcquiredDate, studyDate }: GalleryImage): string =>
  momentText(imageAcquiredDate ?? studyDate ?? '');

const two = (number: number) => String(number).padStart(2, '0');

/** When it came into the archive, by the clock of this browser: `YYYY-MM-DD hh:mm:ss`. */
export const uploadText = ({ uploadedAt }: GalleryImage): string => {
  const at = new Date(uploadedAt);
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
};

/** An image in a few words: whose, of when, what. */
export const imageText = (image: GalleryImage): string =>
  [image.patientName, takenText(image).slice(0, 10), image.name].filter(Boolean).join(', ');

export const usePictureWords = (): PictureWords => {
  const { t } = useTranslation('patient');
  return useMemo(
    () => ({ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') }),
    [t],
  );
};
