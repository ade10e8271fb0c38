import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { memo } from 'react';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { useFileErrorText } from '../language/file-error-text.ts';
import { ProtectedMark } from '../language/protected-mark.tsx';
import { LazyThumbnail, type ThumbnailLabels } from '../ui/lazy-thumbnail.tsx';
import classes from './gallery.module.css';
import { imageText, takenText } from './image-texts.ts';

interface GalleryTileProps {
  readonly index: number;
  /** Null while loading. */
  readonly image: GalleryImage | null;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  /** Total number of images; -1 when unknown. */
  readonly ofAll: number;
  readonly waiting: string;
  readonly words: ThumbnailLabels;
  readonly isMoving: () => boolean;
}

/** Image tile on black; shows its caption on hover and focus. The list handles its keys and clicks. */
export const GalleryTile = memo((props: GalleryTileProps) => {
  const { index, image, isActive, isChosen, ofAll, waiting, words, isMoving } = props;
  const errorText = useFileErrorText()(image?.storageFault ?? null);
  return (
    <div
      role="option"
      className={classes.tile}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      aria-selected={isChosen}
      aria-label={image ? [imageText(image), errorText].filter(Boolean).join(', ') : waiting}
      aria-posinset={index + 1}
      aria-setsize={ofAll}
    >
      {image && (
        <>
          <LazyThumbnail link={image.activeImageThumbLink} words={words} errorText={errorText} isMoving={isMoving} />
          <span className={classes.check} data-check aria-hidden="true">
            <IconCheck />
          </span>
          <span className={classes.caption} aria-hidden="true">
            <span>
              {image.patientName}
              <ProtectedMark of={image} />
            </span>
            <span className={classes.captionDimmed}>
              {[takenText(image).slice(0, 10), image.name].filter(Boolean).join(' · ')}
            </span>
          </span>
        </>
      )}
    </div>
  );
});
