import { useCallback, useState } from 'react';
import classes from './passing-picture.module.css';
import { Thumbnail } from './thumbnail.tsx';

export interface PictureWords {
  readonly pending: string;
  readonly failed: string;
  readonly document: string;
}

interface PassingPictureProps {
  /** A signed link, null while it is being made, or `error`. */
  readonly link: string | null;
  readonly words: PictureWords;
  /** What it shows, where nothing around it says so. */
  readonly alt?: string;
  /** Whether the list is being scrolled at this moment. */
  readonly isMoving?: () => boolean;
  /** Nobody looks for it any more, though it still stands: what has not come is not waited for. */
  readonly isLeft?: boolean;
}

/** What is scrolled past sooner than this, in milliseconds, is not fetched. */
const restMs = 120;
const never = () => false;

/** A small picture that is fetched once it stays in sight, and no longer when it has gone. */
export const PassingPicture = (props: PassingPictureProps) => {
  const { link, words, alt = '', isMoving = never, isLeft = false } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const show = useCallback(
    (picture: HTMLImageElement | null) => {
      if (!picture || link === null || isLeft) return undefined;
      const begin = () => {
        if (picture.getAttribute('src') !== link) picture.src = link;
      };
      const waiting = isMoving() ? setTimeout(begin, restMs) : null;
      if (waiting === null) begin();
      return () => {
        if (waiting !== null) clearTimeout(waiting);
        // A picture without an address gives its request up.
        if (!picture.complete) picture.removeAttribute('src');
      };
    },
    [link, isMoving, isLeft],
  );
  if (link === null || link === 'error' || broken === link)
    return <Thumbnail link={link === null ? null : 'error'} kind="image" words={words} />;
  return (
    <img
      ref={show}
      className={classes.picture}
      alt={alt}
      decoding="async"
      draggable={false}
      onError={() => setBroken(link)}
    />
  );
};
