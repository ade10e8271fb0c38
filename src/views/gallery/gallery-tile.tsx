import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { type MouseEvent, memo } from 'react';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { PassingPicture, type PictureWords } from '../parts/passing-picture.tsx';
import classes from './gallery.module.css';
import { imageText, takenText } from './image-texts.ts';

interface GalleryTileProps {
  readonly index: number;
  /** Null while it is fetched. */
  readonly image: GalleryImage | null;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  /** How many there are; -1 when nobody has counted them to the end. */
  readonly ofAll: number;
  readonly waiting: string;
  readonly words: PictureWords;
  readonly isMoving: () => boolean;
  readonly onPress: (index: number, event: MouseEvent, isCheck: boolean) => void;
}

/** One image on black; its caption shows under the pointer and with the focus. */
export const GalleryTile = memo((props: GalleryTileProps) => {
  const { index, image, isActive, isChosen, ofAll, waiting, words, isMoving, onPress } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys of all its options
    <div
      role="option"
      className={classes.tile}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      aria-selected={isChosen}
      aria-label={image ? imageText(image) : waiting}
      aria-posinset={index + 1}
      aria-setsize={ofAll}
      onClick={(event) =>
        onPress(index, event, event.target instanceof Element && event.target.closest('[data-check]') !== null)
      }
    >
      {image && (
        <>
          <PassingPicture link={image.activeImageThumbLink} words={words} isMoving={isMoving} />
          <span className={classes.check} data-check aria-hidden="true">
            <IconCheck />
          </span>
          <span className={classes.caption} aria-hidden="true">
            <span>{image.patientName}</span>
            <span className={classes.captionQuiet}>
              {[takenText(image).slice(0, 10), image.name].filter(Boolean).join(' · ')}
            </span>
          </span>
        </>
      )}
    </div>
  );
});
