import { Button } from '@mantine/core';
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import IconPhotoX from '@tabler/icons-react/dist/esm/icons/IconPhotoX.mjs';
import { useTranslation } from 'react-i18next';
import { fileSize } from '../parts/file-size.ts';
import { Notice } from '../parts/notice.tsx';
import { isWorthAnotherTry, useImageProblemText } from './image-problem.ts';
import type { Loading } from './stage-memory.ts';
import classes from './stage-state.module.css';

interface ImageStateProps {
  /** null before anything was told. */
  readonly loading: Loading | null;
  readonly transferSyntax: string;
  readonly onRetry: () => void;
}

/** What stands where an image will be, or why there is none. */
export const ImageState = ({ loading, transferSyntax, onRetry }: ImageStateProps) => {
  const { t, i18n } = useTranslation(['viewer', 'shell']);
  const problemText = useImageProblemText();
  if (loading?.phase === 'ready') return null;
  if (loading?.phase === 'failed')
    return (
      <div className={classes.state} data-on-black>
        <Notice
          urgent
          title={t('failedTitle')}
          text={`${problemText(loading.error, transferSyntax)}. ${t('failedText')}`}
          icon={<IconPhotoX />}
          action={
            isWorthAnotherTry(loading.error) && (
              <Button variant="default" onClick={onRetry}>
                {t('shell:retry')}
              </Button>
            )
          }
        />
      </div>
    );
  const { loadedBytes, totalBytes } = loading ?? { loadedBytes: 0, totalBytes: null };
  return (
    <div className={classes.state} data-on-black>
      <div className={classes.progress} role="status">
        <span>{t('loading')}</span>
        <div className={classes.track}>
          {totalBytes ? (
            <div className={classes.fill} style={{ transform: `scaleX(${Math.min(1, loadedBytes / totalBytes)})` }} />
          ) : (
            <div className={classes.waiting} />
          )}
        </div>
        <span>
          {totalBytes
            ? t('loadingBytes', {
                loaded: fileSize(loadedBytes, i18n.language),
                total: fileSize(totalBytes, i18n.language),
              })
            : ' '}
        </span>
      </div>
    </div>
  );
};

/** An object without pixels is kept, and said to be so. */
export const DocumentState = () => {
  const { t } = useTranslation('viewer');
  return (
    <div className={classes.state} data-on-black>
      <Notice title={t('documentTitle')} text={t('documentText')} icon={<IconFileText />} />
    </div>
  );
};

/** No stage at all: the browser draws none, or its code could not be fetched. */
export const NoStageState = ({ graphics, onRetry }: { graphics: boolean; onRetry: () => void }) => {
  const { t } = useTranslation(['viewer', 'shell']);
  return (
    <div className={classes.state} data-on-black>
      <Notice
        urgent
        title={t(graphics ? 'noGraphicsTitle' : 'noCodeTitle')}
        text={t(graphics ? 'noGraphics' : 'noCode')}
        icon={<IconPhotoX />}
        action={
          <Button variant="default" onClick={onRetry}>
            {t('shell:retry')}
          </Button>
        }
      />
    </div>
  );
};

/** The graphics of the machine went away for a moment; the stage draws again by itself when they are back. */
export const LostState = () => {
  const { t } = useTranslation('viewer');
  return (
    <div className={classes.lost} role="status" data-on-black>
      {t('graphicsLost')}
    </div>
  );
};
