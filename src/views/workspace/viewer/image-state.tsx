import { Button } from '@mantine/core';
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import IconPhotoX from '@tabler/icons-react/dist/esm/icons/IconPhotoX.mjs';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileError, ImageInfo } from '../../../../contract/images.ts';
import { type ReportedFailure, useRecordFailureText } from '../../language/failure-text.ts';
import { useFileErrorText } from '../../language/file-error-text.ts';
import { transferSyntaxName } from '../../language/transfer-syntax-name.ts';
import { fileSize } from '../../ui/file-size.ts';
import { lazyComponent } from '../../ui/lazy-component.ts';
import { Notice } from '../../ui/notice.tsx';
import { DownloadFile } from './download-file.tsx';
import classes from './stage-state.module.css';
import type { Loading } from './stage-store.ts';

const PdfDocument = lazyComponent(async () => (await import('./documents.tsx')).PdfDocument);
const VideoDocument = lazyComponent(async () => (await import('./documents.tsx')).VideoDocument);

const codes = [
  'not-dicom',
  'malformed',
  'truncated',
  'too-large',
  'no-pixel-data',
  'no-image-size',
  'image-unsupported',
  'transfer-syntax-unsupported',
  'pixel-data-short',
  'no-such-frame',
  'decode-failed',
] as const;

const isReported = (value: unknown): value is ReportedFailure =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

/** Returns why an image cannot be shown: by the decoder's code, or the failed call. */
export const useImageProblemText = () => {
  const { t } = useTranslation('viewer');
  const failureText = useRecordFailureText();
  return (error: Error, transferSyntax: string): string => {
    const code = codes.find((known) => 'code' in error && error.code === known);
    if (code) return t(`problem-${code}`, { syntax: transferSyntaxName(transferSyntax) });
    const failure = 'failure' in error ? error.failure : null;
    return failureText(isReported(failure) ? failure : { kind: 'unexpected' });
  };
};

/** Returns whether the stored file is intact, according to the error. */
const isInStorage = (error: Error): boolean => {
  const failure = 'failure' in error ? error.failure : null;
  return !isReported(failure) || (failure.code !== 'image-damaged' && failure.code !== 'image-missing');
};

/** Returns whether a retry may help: after network errors, not for broken files. */
const isWorthAnotherTry = (error: Error): boolean => !codes.some((code) => 'code' in error && error.code === code);

interface ImageStateProps {
  /** Null before the first event. */
  readonly loading: Loading | null;
  readonly transferSyntax: string;
  readonly fileError: FileError | null;
  readonly onRetry: () => void;
}

/** Loading progress, or why an image cannot be shown. */
export const ImageState = ({ loading, transferSyntax, fileError, onRetry }: ImageStateProps) => {
  const { t, i18n } = useTranslation(['viewer', 'shell']);
  const problemText = useImageProblemText();
  const errorText = useFileErrorText()(fileError);
  if (loading?.phase === 'ready') return null;
  if (loading?.phase === 'failed')
    return (
      <div className={classes.state} data-on-black>
        <Notice
          urgent
          title={t('failedTitle')}
          text={[problemText(loading.error, transferSyntax), isInStorage(loading.error) ? t('failedText') : errorText]
            .filter(Boolean)
            .join('. ')}
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

/** A PDF, a video, or the placeholder of another document or of an image whose format is not supported. */
export const NoPixelsState = ({ image }: { image: ImageInfo }) => {
  const { t } = useTranslation('viewer');
  if (image.documentType === 'pdf' || image.isVideo)
    return (
      <div className={classes.state} data-on-black>
        <Suspense fallback={null}>
          {image.isVideo ? <VideoDocument key={image.uid} image={image} /> : <PdfDocument imageUid={image.uid} />}
        </Suspense>
      </div>
    );
  const isImage = image.width > 0;
  const syntax = transferSyntaxName(image.imageTransferSyntax);
  return (
    <div className={classes.state} data-on-black>
      {isImage ? (
        <Notice
          title={t('unsupportedTitle')}
          text={`${t('unsupportedSyntax', { syntax })}. ${t('unsupportedText')}`}
          icon={<IconPhotoX />}
          action={
            <Suspense fallback={null}>
              <DownloadFile image={image} />
            </Suspense>
          }
        />
      ) : (
        <Notice
          title={t('documentTitle')}
          text={t('documentText')}
          icon={<IconFileText />}
          action={
            <Suspense fallback={null}>
              <DownloadFile image={image} />
            </Suspense>
          }
        />
      )}
    </div>
  );
};
