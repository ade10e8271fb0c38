import { Button } from '@mantine/core';
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs';
import IconVideoOff from '@tabler/icons-react/dist/esm/icons/IconVideoOff.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acquiredOf, type ImageInfo } from '../../../../contract/images.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useRecordFailureText } from '../../language/failure-text.ts';
import { transferSyntaxName } from '../../language/transfer-syntax-name.ts';
import { Notice } from '../../ui/notice.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { DownloadFile } from './download-file.tsx';
import classes from './stage-state.module.css';
import { useDocument } from './use-document.ts';

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
