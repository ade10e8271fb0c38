import { Button } from '@mantine/core';
import IconColumns2 from '@tabler/icons-react/dist/esm/icons/IconColumns2.mjs';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs';
import { useTranslation } from 'react-i18next';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { useDownload } from '../app/use-download.ts';
import { useCountText } from '../language/count-text.ts';
import { DisableableButton } from '../ui/disableable-button.tsx';
import { fileSize } from '../ui/file-size.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './gallery.module.css';
import { type ChosenImages, compareObstacle, maxCompared } from './image-selection.ts';
import type { GalleryRows } from './use-gallery-rows.ts';

interface GalleryFootProps {
  readonly rows: GalleryRows;
  readonly chosen: ChosenImages;
  readonly onForget: () => void;
  readonly onCompare: (images: readonly GalleryImage[]) => void;
  /** Why the user may not download originals; null when allowed. */
  readonly downloadDisabledReason: string | null;
}

/** Footer with the image count and actions on the selection. */
export const GalleryFoot = ({ rows, chosen, onForget, onCompare, downloadDisabledReason }: GalleryFootProps) => {
  const { t, i18n } = useTranslation(['gallery', 'lists']);
  const countText = useCountText();
  const download = useDownload();
  const images = [...chosen.values()];
  const obstacle = compareObstacle(chosen);
  const totalBytes = images.reduce((sum, { imageFileSize }) => sum + imageFileSize, 0);
  const { progress } = download;
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
      <span className={classes.count} role="status">
        {rows.count !== null &&
          t('images', {
            count: rows.count,
            shown: countText({ totalCount: rows.count, isTotalExact: rows.isCountExact }),
          })}
      </span>
      {chosen.size > 0 && (
        <>
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
              onClick={() => download.begin(images.map(({ uid }) => uid))}
            >
              {t('download', { size: fileSize(totalBytes, i18n.language) })}
            </DisableableButton>
          ) : (
            <span className={classes.progress}>
              <progress
                aria-label={t('downloading')}
                max={progress.totalBytes ?? totalBytes}
                value={progress.loadedBytes}
              />
              <span className={classes.bytes}>
                {t('downloaded', {
                  loaded: fileSize(progress.loadedBytes, i18n.language),
                  of: fileSize(progress.totalBytes ?? totalBytes, i18n.language),
                })}
              </span>
              <Button variant="default" leftSection={<IconPlayerStop aria-hidden="true" />} onClick={download.stop}>
                {t('stop')}
              </Button>
            </span>
          )}
        </>
      )}
    </div>
  );
};
