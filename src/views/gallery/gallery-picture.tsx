import { useCallback, useState } from 'react';
import { Thumbnail } from '../parts/thumbnail.tsx';
import classes from './gallery.module.css';

export interface PictureWords {
  readonly pending: string;
  readonly failed: string;
  readonly document: string;
}

interface GalleryPictureProps {
  /** A signed link, null while it is being made, or `error`. */
  readonly link: string | null;
  readonly words: PictureWords;
  /** Whether the list is being scrolled at this moment. */
  readonly isMoving: () => boolean;
}

/** What is scrolled past sooner than this, in milliseconds, is not fetched. */
const restMs = 120;

/** A small picture that is fetched once it stays in sight, and no longer when it has gone. */
export const GalleryPicture = ({ link, words, isMoving }: GalleryPictureProps) => {
  const [broken, setBroken] = useState<string | null>(null);
  const show = useCallback(
    (picture: HTMLImageElement | null) => {
      if (!picture || link === null) return undefined;
      const begin = () => {
        picture.src = link;
      };
      const waiting = isMoving() ? setTimeout(begin, restMs) : null;
      if (waiting === null) begin();
      return () => {
        if (waiting !== null) clearTimeout(waiting);
        // A picture without an address gives its request up.
        if (!picture.complete) picture.removeAttribute('src');
      };
    },
    [link, isMoving],
  );
  if (link === null || link === 'error' || broken === link)
    return <Thumbnail link={link === null ? null : 'error'} kind="image" words={words} />;
  return (
    <img
      ref={show}
      className={classes.picture}
      alt=""
      decoding="async"
      draggable={false}
      onError={() => setBroken(link)}
    />
  );
};
