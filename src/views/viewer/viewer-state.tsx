import { Button } from '@mantine/core';
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import IconPhotoX from '@tabler/icons-react/dist/esm/icons/IconPhotoX.mjs';
import { useTranslation } from 'react-i18next';
import { fileSize } from '../parts/file-size.ts';
import { Notice } from '../parts/notice.tsx';
import { isWorthAnotherTry, useImageProblemText } from './image-problem.ts';
import type { Loading } from './loading.ts';
import classes from './viewer.module.css';

interface ViewerStateProps {
  readonly loading: Loading;
  readonly transferSyntax: string;
  readonly onRetry: () => void;
}

/** What stands where the image will be, or why there is none. */
export const ViewerState = ({ loading, transferSyntax, onRetry }: ViewerStateProps) => {
  const { t, i18n } = useTranslation(['viewer', 'shell']);
  const problemText = useImageProblemText();
  if (loading.phase === 'ready') return null;
  if (loading.phase === 'loading') {
    const { loadedBytes, totalBytes } = loading;
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
  }
  if (loading.phase === 'no-graphics')
    return (
      <div className={classes.state} data-on-black>
        <Notice urgent title={t('failedTitle')} text={t('noGraphics')} icon={<IconPhotoX />} />
      </div>
    );
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
