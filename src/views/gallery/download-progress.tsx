import { Button } from '@mantine/core';
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs';
import { useTranslation } from 'react-i18next';
import type { DownloadProgress } from '../../services/queries.ts';
import { fileSize } from '../ui/file-size.ts';
import classes from './gallery.module.css';

interface DownloadProgressBarProps {
  readonly progress: DownloadProgress;
  /** Bytes to expect until the archive has stated them. */
  readonly expectedBytes: number;
  readonly onStop: () => void;
}

/** Progress of a download, with a button that stops it. */
export const DownloadProgressBar = ({ progress, expectedBytes, onStop }: DownloadProgressBarProps) => {
  const { t, i18n } = useTranslation('gallery');
  const { step, loadedBytes, totalBytes } = progress;
  const max = totalBytes ?? expectedBytes;
  return (
    <span className={classes.progress}>
      <progress aria-label={t(step)} max={max} value={loadedBytes} />
      <span className={classes.bytes}>
        {t(step === 'downloading' ? 'downloaded' : 'encrypted', {
          loaded: fileSize(loadedBytes, i18n.language),
          of: fileSize(max, i18n.language),
        })}
      </span>
      <Button variant="default" leftSection={<IconPlayerStop aria-hidden="true" />} onClick={onStop}>
        {t('stop')}
      </Button>
    </span>
  );
};
