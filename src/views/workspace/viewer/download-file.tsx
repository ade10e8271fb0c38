import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../../contract/images.ts';
import { useDownload } from '../../app/use-download.ts';
import { fileSize } from '../../ui/file-size.ts';

/** Downloads the stored file of an image. */
export const DownloadFile = ({ image }: { image: ImageInfo }) => {
  const { t, i18n } = useTranslation('viewer');
  const { progress, begin } = useDownload();
  return (
    <Button variant="default" loading={progress !== null} onClick={() => void begin({ imageUIDs: [image.uid] })}>
      {t('downloadFile', { size: fileSize(image.imageFileSize, i18n.language) })}
    </Button>
  );
};
