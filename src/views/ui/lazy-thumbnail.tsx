import { useCallback, useState } from 'react';
import classes from './lazy-thumbnail.module.css';
import { ErrorBadge, Thumbnail } from './thumbnail.tsx';

export interface ThumbnailLabels {
  readonly pending: string;
  readonly failed: string;
  readonly document: string;
}

interface LazyThumbnailProps {
  /** A signed URL, null while it is created, or `error`. */
  readonly link: string | null;
  readonly words: ThumbnailLabels;
  /** What is wrong with the stored file, as text. */
  readonly errorText?: string | null;
  /** Alternative text, where nothing around the image gives it. */
  readonly alt?: string;
  /** Returns whether the list is being scrolled. */
  readonly isMoving?: () => boolean;
  /** The list was left: pending images are not loaded. */
  readonly isLeft?: boolean;
}

/** Images scrolled past faster than this, in milliseconds, are not loaded. */
const restMs = 120;
const never = () => false;

/** A thumbnail loaded once it stays visible; the request is cancelled when it leaves. */
export const LazyThumbnail = (props: LazyThumbnailProps) => {
  const { link, words, errorText = null, alt = '', isMoving = never, isLeft = false } = props;
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
        // Removing the URL cancels the request.
        if (!picture.complete) picture.removeAttribute('src');
      };
    },
    [link, isMoving, isLeft],
  );
  if (link === null || link === 'error' || broken === link)
    return <Thumbnail link={link === null ? null : 'error'} kind="image" words={words} errorText={errorText} />;
  const picture = (
    <img
      ref={show}
      className={classes.picture}
      alt={alt}
      decoding="async"
      draggable={false}
      onError={() => setBroken(link)}
    />
  );
  if (errorText === null) return picture;
  return (
    <span className={classes.frame}>
      {picture}
      <ErrorBadge text={errorText} />
    </span>
  );
};
