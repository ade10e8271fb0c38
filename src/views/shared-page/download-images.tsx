import { Button } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DownloadProgress } from '../../services/queries.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { today } from '../ui/dates.ts';
import { fileSize } from '../ui/file-size.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { saveFile } from '../ui/save-file.ts';
import { isLinkInvalid, type SharedAccess } from './shared-access.ts';
import classes from './shared-page.module.css';

interface DownloadImagesProps {
  /** The zip has an anonymised copy instead of the original files. */
  readonly isAnonymised: boolean;
  readonly download: SharedAccess['download'];
  readonly onInvalid: () => void;
}

/** Saves the images as a zip. */
export const DownloadImages = ({ isAnonymised, download, onInvalid }: DownloadImagesProps) => {
  const { t, i18n } = useTranslation('shared');
  const failureText = useFailureText();
  const [progress, setProgress] = useState<DownloadProgress | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);
  const begin = async () => {
    const stop = new AbortController();
    going.current = stop;
    setProblem(null);
    setProgress({ step: 'downloading', loadedBytes: 0, totalBytes: null });
    try {
      const { content, leftOut } = await download((now) => {
        if (!stop.signal.aborted) setProgress(now);
      }, stop.signal);
      saveFile({ name: `images-${today()}.zip`, content });
      if (leftOut > 0) setProblem(t('leftOut', { count: leftOut }));
    } catch (error) {
      if (stop.signal.aborted) return;
      const failure = failureOfQuery(error);
      if (isLinkInvalid(failure)) return onInvalid();
      setProblem(t('downloadFailed', { reason: failureText(failure) }));
    } finally {
      if (going.current === stop) setProgress(null);
    }
  };
  return (
    <div className={classes.download}>
      {progress ? (
        <>
          <progress aria-label={t('downloading')} max={progress.totalBytes ?? undefined} value={progress.loadedBytes} />
          <Button
            variant="default"
            leftSection={<IconPlayerStop aria-hidden="true" />}
            onClick={() => going.current?.abort()}
          >
            {t('stop')} ({fileSize(progress.loadedBytes, i18n.language)})
          </Button>
        </>
      ) : (
        <Button leftSection={<IconDownload aria-hidden="true" />} onClick={() => void begin()}>
          {t('download')}
        </Button>
      )}
      <p className={classes.dimmed}>{t(isAnonymised ? 'anonymised' : 'originals')}</p>
      {problem && <IconAlert>{problem}</IconAlert>}
    </div>
  );
};
