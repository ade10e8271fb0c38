import { Button } from '@mantine/core';
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs';
import IconVideoOff from '@tabler/icons-react/dist/esm/icons/IconVideoOff.mjs';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acquiredOf, type ImageInfo } from '../../../../contract/images.ts';
import { useGallery } from '../../app/loaded-services.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useRecordFailureText } from '../../language/failure-text.ts';
import { transferSyntaxName } from '../../language/transfer-syntax-name.ts';
import { today } from '../../ui/dates.ts';
import { Notice } from '../../ui/notice.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { DownloadFile } from './download-file.tsx';
import classes from './stage-state.module.css';

type Fetched =
  | { readonly is: 'loading' }
  | { readonly is: 'ready'; readonly content: Blob; readonly url: string }
  | { readonly is: 'failed'; readonly error: unknown };

/** Fetches a PDF or video; its object URL is valid until another one is fetched or the component unmounts. */
const useDocument = (imageUid: string) => {
  const gallery = useGallery();
  const [attempt, setAttempt] = useState(0);
  const [fetched, setFetched] = useState<Fetched>({ is: 'loading' });
  useEffect(() => {
    const stop = new AbortController();
    let url: string | null = null;
    setFetched({ is: 'loading' });
    gallery.document(imageUid, stop.signal).then(
      (content) => {
        if (stop.signal.aborted) return;
        url = URL.createObjectURL(content);
        setFetched({ is: 'ready', content, url });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setFetched({ is: 'failed', error });
      },
    );
    return () => {
      stop.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [gallery, imageUid, attempt]);
  return { fetched, retry: () => setAttempt((before) => before + 1) };
};

/** A PDF that the archive keeps: opened in the browser's viewer, or saved. */
export const PdfDocument = ({ imageUid }: { readonly imageUid: string }) => {
  const { t } = useTranslation(['viewer', 'print', 'shell']);
  const failureText = useRecordFailureText();
  const { fetched, retry } = useDocument(imageUid);
  const common = { title: t('pdfTitle'), icon: <IconFileText /> };
  if (fetched.is === 'loading') return <Notice {...common} text={t('pdfLoading')} />;
  if (fetched.is === 'failed') {
    const failure = failureOfQuery(fetched.error);
    return (
      <Notice
        {...common}
        urgent
        text={failure.code === 'image-not-readable' ? t('pdfNotReadable') : failureText(failure)}
        action={
          <Button variant="default" onClick={retry}>
            {t('shell:retry')}
          </Button>
        }
      />
    );
  }
  const { content, url } = fetched;
  const name = `${t('pdfFileName')}-${today()}.pdf`;
  return (
    <Notice
      {...common}
      text={t('pdfText')}
      action={
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => saveFile({ name, content })}>
            {t('print:savePdf')}
          </Button>
          <Button component="a" href={url} target="_blank">
            {t('print:openPdf')}
          </Button>
        </div>
      }
    />
  );
};

/** A video with the browser's controls, or why it cannot be played. */
export const VideoDocument = ({ image }: { readonly image: ImageInfo }) => {
  const { t } = useTranslation(['viewer', 'shell']);
  const failureText = useRecordFailureText();
  const { fetched, retry } = useDocument(image.uid);
  const [isUnplayable, setUnplayable] = useState(false);
  if (fetched.is === 'loading') return <Notice title={t('videoLabel')} text={t('videoLoading')} icon={<IconVideo />} />;
  if (fetched.is === 'failed') {
    const failure = failureOfQuery(fetched.error);
    return (
      <Notice
        title={t('videoLabel')}
        icon={<IconVideoOff />}
        urgent
        text={failure.code === 'image-not-readable' ? t('videoNotReadable') : failureText(failure)}
        action={
          <div className={classes.buttons}>
            <Button variant="default" onClick={retry}>
              {t('shell:retry')}
            </Button>
            <DownloadFile image={image} />
          </div>
        }
      />
    );
  }
  const { content, url } = fetched;
  const day = acquiredOf(image)?.slice(0, 10);
  const name = `${[t('videoFileName'), day].filter(Boolean).join('-')}.mp4`;
  const save = (
    <Button variant="default" onClick={() => saveFile({ name, content })}>
      {t('saveVideo')}
    </Button>
  );
  if (isUnplayable)
    return (
      <Notice
        title={t('videoNotPlayedTitle')}
        text={t('videoNotPlayedText', { syntax: transferSyntaxName(image.imageTransferSyntax) })}
        icon={<IconVideoOff />}
        action={save}
      />
    );
  return (
    <div className={classes.video}>
      {/* biome-ignore lint/a11y/useMediaCaption: what a clinic films has no captions. */}
      <video
        className={classes.player}
        src={url}
        controls
        playsInline
        aria-label={t('videoLabel')}
        onError={() => setUnplayable(true)}
      />
      {save}
    </div>
  );
};
