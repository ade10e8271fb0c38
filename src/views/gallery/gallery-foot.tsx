import { Button } from '@mantine/core';
import IconColumns2 from '@tabler/icons-react/dist/esm/icons/IconColumns2.mjs';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { useDownload } from '../app/use-download.ts';
import { useCountText } from '../language/count-text.ts';
import { DisableableButton } from '../ui/disableable-button.tsx';
import { fileSize } from '../ui/file-size.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { DownloadProgressBar } from './download-progress.tsx';
import classes from './gallery.module.css';
import { type ChosenImages, compareObstacle, maxCompared } from './image-selection.ts';
import { RecipientDialog } from './recipient-dialog.tsx';
import type { GalleryRows } from './use-gallery-rows.ts';

interface GalleryFootProps {
  readonly rows: GalleryRows;
  readonly chosen: ChosenImages;
  readonly onForget: () => void;
  /** Whether images that are not acceptable are listed too. */
  readonly withRejected: boolean;
  readonly onRejected: (shown: boolean) => void;
  readonly onCompare: (images: readonly GalleryImage[]) => void;
  /** Why the user may not download originals; null when allowed. */
  readonly downloadDisabledReason: string | null;
}

const bytesOf = (images: readonly GalleryImage[]) => images.reduce((sum, { imageFileSize }) => sum + imageFileSize, 0);

/** Footer with the image count and actions on the selection. */
export const GalleryFoot = (props: GalleryFootProps) => {
  const { rows, chosen, onForget, withRejected, onRejected, onCompare, downloadDisabledReason } = props;
  const { t, i18n } = useTranslation(['gallery', 'lists']);
  const countText = useCountText();
  const download = useDownload();
  const images = [...chosen.values()];
  const obstacle = compareObstacle(chosen);
  const totalBytes = bytesOf(images);
  const { progress } = download;
  // The selection may change while the dialog is open.
  const [copied, setCopied] = useState<readonly GalleryImage[] | null>(null);
  return (
    <div className={classes.foot}>
      {chosen.size > 0 && (
        <span className={classes.chosen}>
          <span role="status">{t('lists:chosen', { count: chosen.size })}</span>
          <button type="button" className={classes.forget} onClick={onForget}>
            {t('lists:forgetChosen')}
          </button>
        </span>
      )}
      {rows.hasGaps && (
        <span className={classes.gaps}>
          <IconAlert>{t('someMissing')}</IconAlert>
          <Button variant="default" onClick={rows.retry}>
            {t('lists:retry')}
          </Button>
        </span>
      )}
      <span role="status">
        {rows.count !== null &&
          t('images', {
            count: rows.count,
            shown: countText({ totalCount: rows.count, isTotalExact: rows.isCountExact }),
          })}
      </span>
      {rows.notAcceptableCount > 0 && (
        <Button
          size="xs"
          variant={withRejected ? 'light' : 'default'}
          aria-pressed={withRejected}
          onClick={() => onRejected(!withRejected)}
        >
          {t('notAcceptable', { count: rows.notAcceptableCount })}
        </Button>
      )}
      {chosen.size > 0 && (
        <>
          <DisableableButton
            variant="default"
            leftSection={<IconSend aria-hidden="true" />}
            reason={downloadDisabledReason}
            onClick={() => setCopied(images)}
          >
            {t('forRecipient')}
          </DisableableButton>
          <DisableableButton
            variant="default"
            leftSection={<IconColumns2 aria-hidden="true" />}
            reason={obstacle === null ? null : t(obstacle, { count: maxCompared })}
            onClick={() => onCompare(images)}
          >
            {t('compare')}
          </DisableableButton>
          {progress === null ? (
            <DisableableButton
              leftSection={<IconDownload aria-hidden="true" />}
              reason={downloadDisabledReason}
              onClick={() => void download.begin({ imageUIDs: images.map(({ uid }) => uid) })}
            >
              {t('download', { size: fileSize(totalBytes, i18n.language) })}
            </DisableableButton>
          ) : (
            <DownloadProgressBar progress={progress} expectedBytes={totalBytes} onStop={download.stop} />
          )}
        </>
      )}
      {copied && (
        <RecipientDialog
          scope={{ imageUIDs: copied.map(({ uid }) => uid) }}
          known={{ files: copied.length, sizeBytes: bytesOf(copied) }}
          onClose={() => setCopied(null)}
        />
      )}
    </div>
  );
};
