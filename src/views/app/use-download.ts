import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DownloadProgress, DownloadRequest } from '../../services/queries.ts';
import { useFailureText } from '../language/failure-text.ts';
import { today } from '../ui/dates.ts';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toast.ts';
import { useGallery } from './loaded-services.ts';
import { failureOfQuery } from './queries-context.tsx';

export interface Download {
  /** Null: no download is running. */
  readonly progress: DownloadProgress | null;
  /** Resolves to the name of the saved file; null when it was stopped or failed, which a message has said. */
  readonly begin: (request: DownloadRequest) => Promise<string | null>;
  readonly stop: () => void;
}

/** Interval of progress updates in milliseconds. */
const shownEveryMs = 100;

/** Downloads originals as one zip, one download at a time. Aborts when the page unmounts. */
export const useDownload = (): Download => {
  const { t } = useTranslation(['gallery', 'shell']);
  const gallery = useGallery();
  const failureText = useFailureText();
  const [progress, setProgress] = useState<Download['progress']>(null);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);

  const begin = async (request: DownloadRequest): Promise<string | null> => {
    const stop = new AbortController();
    going.current = stop;
    setProgress({ step: 'downloading', loadedBytes: 0, totalBytes: null });
    let shownAt = 0;
    try {
      const { content, leftOut, notExpressed } = await gallery.download(
        request,
        (now) => {
          if (stop.signal.aborted || performance.now() - shownAt < shownEveryMs) return;
          shownAt = performance.now();
          setProgress(now);
        },
        stop.signal,
      );
      if (stop.signal.aborted) return null;
      const name = `images-${today()}.zip`;
      saveFile({ name, content });
      if (leftOut > 0) toast({ tone: 'bad', text: t('leftOut', { count: leftOut }), close: t('shell:close') });
      if (notExpressed.size > 0)
        toast({
          tone: 'plain',
          text: [t('notExpressed'), ...[...notExpressed.keys()].map((part) => `• ${t(`notExpressed-${part}`)}`)].join(
            '\n',
          ),
          close: t('shell:close'),
        });
      return name;
    } catch (error) {
      if (!stop.signal.aborted)
        toast({
          tone: 'bad',
          text: t('downloadFailed', { reason: failureText(failureOfQuery(error)) }),
          close: t('shell:close'),
        });
      return null;
    } finally {
      if (going.current === stop) {
        going.current = null;
        setProgress(null);
      }
    }
  };
  return {
    progress,
    begin,
    stop: () => {
      going.current?.abort();
      going.current = null;
      setProgress(null);
    },
  };
};
