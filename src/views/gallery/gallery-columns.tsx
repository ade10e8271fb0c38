import { useTranslation } from 'react-i18next';
import type { GalleryImage, GallerySort } from '../../../contract/gallery.ts';
import { useModalityName } from '../language/modality-name.tsx';
import { useStorageFaultText } from '../language/storage-fault-text.ts';
import { fileSize } from '../ui/file-size.ts';
import { LazyThumbnail, type ThumbnailLabels } from '../ui/lazy-thumbnail.tsx';
import type { Column } from '../ui/record-table/columns.ts';
import { imageText, takenText, uploadText } from './image-texts.ts';

/** Returns the available columns; `share` is the preferred width in CSS pixels. */
export const useGalleryColumns = (
  texts: ThumbnailLabels,
  isMoving: () => boolean,
): readonly Column<GalleryImage, GallerySort>[] => {
  const { t, i18n } = useTranslation(['gallery', 'patient']);
  const modalityName = useModalityName();
  const faultText = useStorageFaultText();
  return [
    {
      key: 'image',
      name: t('image'),
      text: imageText,
      render: ({ activeImageThumbLink, storageFault }) => (
        <LazyThumbnail link={activeImageThumbLink} words={texts} fault={faultText(storageFault)} isMoving={isMoving} />
      ),
      share: 88,
      narrow: true,
    },
    { key: 'patientId', name: t('patientId'), text: (row) => row.personalNumber, share: 140 },
    {
      key: 'patient',
      name: t('patientName'),
      sort: 'patient',
      text: (row) => row.patientName,
      share: 190,
      narrow: true,
    },
    { key: 'date', name: t('date'), sort: 'date', text: takenText, share: 190, byDefault: false, narrow: true },
    { key: 'description', name: t('description'), text: (row) => row.studyDescription, share: 180, byDefault: false },
    {
      key: 'size',
      name: t('size'),
      sort: 'size',
      text: (row) => fileSize(row.imageFileSize, i18n.language),
      share: 110,
      byDefault: false,
      isNumber: true,
    },
    { key: 'upload', name: t('upload'), sort: 'upload', text: uploadText, share: 190, byDefault: false },
    {
      key: 'source',
      name: t('source'),
      text: (row) => (row.source === 'dicom' ? t('patient:sourceDicom') : t('patient:sourcePicture')),
      share: 110,
      byDefault: false,
    },
    { key: 'type', name: t('type'), text: (row) => row.imageSensorType ?? '', share: 120, byDefault: false },
    { key: 'name', name: t('name'), text: (row) => row.name, share: 170, narrow: true },
    { key: 'id', name: t('id'), text: (row) => row.sopInstanceUid, share: 220 },
    {
      key: 'modality',
      name: t('modality'),
      sort: 'modality',
      text: (row) => modalityName(row.seriesModalityValue),
      share: 140,
      byDefault: false,
    },
    { key: 'comment', name: t('comment'), text: (row) => row.imageComment ?? '', share: 200, byDefault: false },
    {
      key: 'compression',
      name: t('compression'),
      text: (row) => t(`patient:${row.imageCompression}`),
      share: 110,
      byDefault: false,
    },
  ];
};
