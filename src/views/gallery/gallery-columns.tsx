import { useTranslation } from 'react-i18next';
import type { GalleryImage, GallerySort } from '../../../contract/gallery.ts';
import { useFileErrorText } from '../language/file-error-text.ts';
import { useModalityName } from '../language/modality-name.tsx';
import { ProtectedMark } from '../language/protected-mark.tsx';
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
  const errorText = useFileErrorText();
  return [
    {
      key: 'image',
      name: t('image'),
      text: imageText,
      render: ({ activeImageThumbLink, storageFault }) => (
        <LazyThumbnail
          link={activeImageThumbLink}
          words={texts}
          errorText={errorText(storageFault)}
          isMoving={isMoving}
        />
      ),
      widthShare: 88,
      narrow: true,
    },
    { key: 'patientId', name: t('patientId'), text: (row) => row.personalNumber, widthShare: 140 },
    {
      key: 'patient',
      name: t('patientName'),
      sort: 'patient',
      text: (row) => row.patientName,
      render: (row) => (
        <>
          {row.patientName}
          <ProtectedMark of={row} />
        </>
      ),
      widthShare: 190,
      narrow: true,
    },
    { key: 'date', name: t('date'), sort: 'date', text: takenText, widthShare: 190, byDefault: false, narrow: true },
    {
      key: 'description',
      name: t('description'),
      text: (row) => row.studyDescription,
      widthShare: 180,
      byDefault: false,
    },
    {
      key: 'size',
      name: t('size'),
      sort: 'size',
      text: (row) => fileSize(row.imageFileSize, i18n.language),
      widthShare: 110,
      byDefault: false,
      isNumber: true,
    },
    { key: 'upload', name: t('upload'), sort: 'upload', text: uploadText, widthShare: 190, byDefault: false },
    {
      key: 'source',
      name: t('source'),
      text: (row) => (row.source === 'dicom' ? t('patient:sourceDicom') : t('patient:sourcePicture')),
      widthShare: 110,
      byDefault: false,
    },
    { key: 'type', name: t('type'), text: (row) => row.imageSensorType ?? '', widthShare: 120, byDefault: false },
    { key: 'name', name: t('name'), text: (row) => row.name, widthShare: 170, narrow: true },
    { key: 'id', name: t('id'), text: (row) => row.sopInstanceUid, widthShare: 220 },
    {
      key: 'modality',
      name: t('modality'),
      sort: 'modality',
      text: (row) => modalityName(row.seriesModalityValue),
      widthShare: 140,
      byDefault: false,
    },
    { key: 'comment', name: t('comment'), text: (row) => row.imageComment ?? '', widthShare: 200, byDefault: false },
    {
      key: 'compression',
      name: t('compression'),
      text: (row) => t(`patient:${row.imageCompression}`),
      widthShare: 110,
      byDefault: false,
    },
  ];
};
