import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGallery } from '../gallery.ts';
import { useFailureText } from '../language/failure-text.ts';
import { saveFile } from '../parts/save-file.ts';
import { toast } from '../parts/toast.ts';
import { failureOfQuery } from '../reading.tsx';

export interface Download {
  /** Null: none goes on. `totalBytes` is null until it is known. */
  readonly progress: { readonly loadedBytes: number; readonly totalBytes: number | null } | null;
  readonly begin: (imageUIDs: readonly string[]) => void;
  readonly stop: () => void;
}

/** Progress is shown so often, in milliseconds, however often bytes come. */
const shownEveryMs = 100;

/** Originals as one zip; one at a time, given up when the page is left. */
export const useDownload = (): Download => {
  const { t } = useTranslation(['gallery', 'shell']);
  const gallery = useGallery();
  const failureText = useFailureText();
  const [progress, setProgress] = useState<Download['progress']>(null);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);

  const fetchAndSave = async (imageUIDs: readonly string[]) => {
    const stop = new AbortController();
    going.current = stop;
    setProgress({ loadedBytes: 0, totalBytes: null });
    let shownAt = 0;
    try {
      const content = await gallery.download(
        imageUIDs,
        (loadedBytes, totalBytes) => {
          if (stop.signal.aborted || performance.now() - shownAt < shownEveryMs) return;
          shownAt = performance.now();
          setProgress({ loadedBytes, totalBytes });
        },
        stop.signal,
      );
      if (stop.signal.aborted) return;
      saveFile({ name: `images-${new Date().toLocaleDateString('sv-SE')}.zip`, content });
    } catch (error) {
      if (!stop.signal.aborted)
        toast({
          tone: 'bad',
          text: t('downloadFailed', { reason: failureText(failureOfQuery(error)) }),
          close: t('shell:close'),
        });
    } finally {
      if (going.current === stop) {
        going.current = null;
        setProgress(null);
      }
    }
  };
  return {
    progress,
    begin: (imageUIDs) => void fetchAndSave(imageUIDs),
    stop: () => {
      going.current?.abort();
      going.current = null;
      setProgress(null);
    },
  };
};
